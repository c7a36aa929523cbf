/** Words that several parts of the form share. */
import type { LinesView } from "../../../../backend/backend";
import { m } from "../../../../messages";
import { number } from "../../../../messages/format";

/** “lines 1–6”, or “line 3”. */
export const linesLabel = ({ first, last }: LinesView): string =>
  first === last ? m.forms_line({ line: number(first) }) : m.forms_lines({ first: number(first), last: number(last) });
