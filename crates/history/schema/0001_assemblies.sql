-- Recorded assemblies. Statements only ever get added in a new file: a released step is never edited.

PRAGMA application_id = 0x43425748; -- "CBWH"

-- Words that repeat: ids and titles of sections, paths of workspaces, models, methods. Row 0 is "none".
CREATE TABLE names (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO names (id, text) VALUES (0, '');

-- Each section text once, by the blake3 hash of its UTF-8 bytes.
CREATE TABLE texts (
    id       INTEGER PRIMARY KEY,
    hash     BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    length   INTEGER NOT NULL,                                   -- bytes of the text itself
    encoding INTEGER NOT NULL CHECK (encoding IN (0, 1, 2)),     -- 0 raw, 1 zstd, 2 too large: not kept
    body     BLOB    CHECK ((body IS NULL) = (encoding = 2))
) STRICT;

-- A section as it stands in an assembly. NULL layer: literals and separators. NULL tokens: not counted.
CREATE TABLE sections (
    id     INTEGER PRIMARY KEY,
    text   INTEGER NOT NULL REFERENCES texts (id),
    name   INTEGER NOT NULL REFERENCES names (id),
    title  INTEGER NOT NULL REFERENCES names (id),
    layer  INTEGER,
    tokens INTEGER
) STRICT;
CREATE INDEX sections_by_text ON sections (text, name);

-- What assemblies are compared within. `turn` orders the series of one workspace and channel by their
-- latest use; a clock that goes backwards or an import of old rows cannot change which one is the last.
CREATE TABLE series (
    id        INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES names (id),
    channel   INTEGER NOT NULL REFERENCES names (id),
    project   INTEGER NOT NULL REFERENCES names (id),
    variant   INTEGER NOT NULL REFERENCES names (id),
    model     INTEGER NOT NULL REFERENCES names (id),
    last      INTEGER REFERENCES assemblies (id) ON DELETE SET NULL,
    turn      INTEGER NOT NULL DEFAULT 0,
    UNIQUE (workspace, channel, project, variant, model)
) STRICT;

-- AUTOINCREMENT: an id that was pruned never comes back as another assembly.
CREATE TABLE assemblies (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    series          INTEGER NOT NULL REFERENCES series (id),
    time            INTEGER NOT NULL,                            -- milliseconds since 1970, first seen
    last_seen       INTEGER NOT NULL,                            -- milliseconds since 1970
    seen            INTEGER NOT NULL DEFAULT 1,
    variant_version INTEGER NOT NULL,
    fingerprint     BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    content_hash    BLOB    NOT NULL CHECK (length(content_hash) = 32),
    tokens_total    INTEGER,                                     -- NULL: unknown
    tokens_low      INTEGER,
    tokens_high     INTEGER,
    tokens_method   INTEGER NOT NULL REFERENCES names (id),
    prefix_bytes    INTEGER,                                     -- NULL: nothing came before
    prefix_tokens   INTEGER,
    breaks_at       INTEGER,                                     -- index of a section; NULL: nowhere
    catalogue       INTEGER NOT NULL REFERENCES names (id),
    reason          TEXT    NOT NULL,
    parent          INTEGER REFERENCES assemblies (id),
    depth           INTEGER NOT NULL,                            -- 0: `sections` is a full list, else a
    sections        BLOB    NOT NULL                             -- difference to the list of the parent
) STRICT;
CREATE INDEX assemblies_by_time ON assemblies (time);
CREATE INDEX assemblies_by_series ON assemblies (series, time);
CREATE INDEX assemblies_by_parent ON assemblies (parent);
