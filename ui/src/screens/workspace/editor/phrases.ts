/** The editor's own words, from the catalogue. */
import { EditorState, type Extension } from "@codemirror/state";
import { m } from "../../../messages";

const WORDS: Record<string, () => string> = {
  Find: m.search_find,
  Replace: m.search_replace_field,
  next: m.search_next,
  previous: m.search_previous,
  all: m.search_all,
  "match case": m.search_match_case,
  regexp: m.search_regexp,
  "by word": m.search_by_word,
  replace: m.search_replace,
  "replace all": m.search_replace_all,
  close: m.close,
  "current match": m.search_current,
  "replaced match on line $": m.search_replaced,
  "replaced $ matches": m.search_replaced_all,
  "on line": m.search_on_line,
  "Go to line": m.search_go_to_line,
  go: m.search_go,
  "Control character": m.special_character,
  "Selection deleted": m.editor_selection_deleted,
  "$ unchanged lines": m.diff_unchanged_lines,
};

/** Looked up when they are drawn, so that an editor that is open already speaks a new language, too. */
export function phrases(): Extension {
  const live = Object.entries(WORDS).map(([phrase, get]) => [phrase, { get, enumerable: true }] as const);
  return EditorState.phrases.of(Object.defineProperties({}, Object.fromEntries(live)));
}
