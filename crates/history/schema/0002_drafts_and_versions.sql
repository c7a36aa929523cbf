-- Unsaved edits, and the states that a user's file had. Both are copies: the file is the truth.

-- Bytes of files and drafts, each once, by their blake3 hash. Apart from `texts`, so that nothing that is
-- forgotten of assemblies can take a state of a file along.
CREATE TABLE contents (
    id       INTEGER PRIMARY KEY,
    hash     BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    length   INTEGER NOT NULL,                                   -- bytes of the content itself
    encoding INTEGER NOT NULL CHECK (encoding IN (0, 1)),        -- 0 raw, 1 zstd
    body     BLOB    NOT NULL
) STRICT;

-- One row for each file and window that has unsaved edits of it. `writer` is that window.
CREATE TABLE drafts (
    folder   TEXT    NOT NULL,                                   -- absolute path of the root
    path     TEXT    NOT NULL,                                   -- relative to it
    writer   TEXT    NOT NULL,
    time     INTEGER NOT NULL,                                   -- milliseconds since 1970, of the last key
    base     INTEGER REFERENCES contents (id),                   -- what it is an edit of; NULL: no file
    length   INTEGER NOT NULL,                                   -- bytes of the text
    encoding INTEGER NOT NULL CHECK (encoding IN (0, 1)),
    body     BLOB    NOT NULL,
    PRIMARY KEY (folder, path, writer)
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_base ON drafts (base);

-- A state that a file, or a draft of it, had. AUTOINCREMENT: an id that is gone never means another state.
CREATE TABLE versions (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    folder  INTEGER NOT NULL REFERENCES names (id),
    path    INTEGER NOT NULL REFERENCES names (id),
    time    INTEGER NOT NULL,                                    -- milliseconds since 1970, when it was kept
    content INTEGER NOT NULL REFERENCES contents (id),
    kind    TEXT    NOT NULL
) STRICT;
CREATE INDEX versions_by_file ON versions (folder, path, id);
CREATE INDEX versions_by_content ON versions (content);
