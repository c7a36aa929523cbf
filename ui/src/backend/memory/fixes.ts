/** Repairs in the in-memory workspace: what the real ones do, for the findings that its lint makes. */
import type {
  CommandName,
  DecodingView,
  DocumentView,
  FileRef,
  FindingView,
  FixView,
  Frame,
  Reply,
  Request,
  TextChange,
} from "../backend";
import { refuse, type Documents } from "./documents";

/** A file that is not UTF-8 reads like this in the encodings it may be in. */
export const FOREIGN: DecodingView[] = [
  { encoding: "GBK", excerpt: "# 工具\n- 先问，再删除。", bad: 0 },
  { encoding: "windows-1252", excerpt: "# ¹¤¾ß\n- ÏÈÎÊ£¬ÔÙÉ¾³ý¡£", bad: 0 },
  { encoding: "Shift_JIS", excerpt: "# ｹ､ｾﾟ\n- ﾏﾈﾎﾊ｣ｬﾔﾙﾉｾｳ�｡｣", bad: 1 },
];

export const FOREIGN_FILE: FileRef = { root: "workspace", path: "TOOLS.md" };
export const NEAR_FILE: FileRef = { root: "workspace", path: "tools.md" };

const about = (
  documents: Documents,
  file: FileRef,
  finding: Pick<FindingView, "id" | "severity" | "message" | "actions">,
): FindingView => ({ path: documents.absolute(file), file, range: null, ...finding });

/** What is wrong with the files of the two special workspaces. */
export function specialFindings(documents: Documents, options: { foreign?: boolean; near?: boolean }): FindingView[] {
  const found: FindingView[] = [];
  if (options.foreign && documents.state(FOREIGN_FILE) === "read_only") {
    found.push(
      about(documents, FOREIGN_FILE, {
        id: "not-utf8",
        severity: "error",
        message: "The file is not UTF-8: byte 2 is the first at fault. It looks like GBK. Convert it.",
        actions: [{ id: "convert-to-utf8", label: "Convert from GBK to UTF-8" }],
      }),
    );
  }
  if (options.near && documents.text(FOREIGN_FILE) === null) {
    found.push(
      about(documents, NEAR_FILE, {
        id: "near-name",
        severity: "warning",
        message: "tools.md is not injected. catbuddy looks for TOOLS.md; letter case counts on this disk.",
        actions: [{ id: "rename", label: "Rename it to TOOLS.md" }],
      }),
    );
  }
  return found;
}

const done = (version: number, changes: TextChange[]): FixView => ({ version, changes, renamed: null });

function lineEndChanges(text: string, crlf: boolean): TextChange[] {
  const found = text.matchAll(crlf ? /(?<!\r)\n/g : /\r(?=\n)/g);
  return [...found].map(({ index }) => ({ from: index, to: index + (crlf ? 0 : 1), insert: crlf ? "\r" : "" }));
}

export function fixHandlers(documents: () => Documents, renamed: () => void) {
  const swap = (from: FileRef, to: FileRef): FixView => {
    if (to.path === FOREIGN_FILE.path) documents().add(to, "# Tools\n- Ask first.\n");
    else documents().add(from, null);
    renamed();
    return { version: 0, changes: [], renamed: { from, to } };
  };
  return {
    fix: ({ file, version, finding, start, action }) => {
      if (action === "rename") return swap(NEAR_FILE, FOREIGN_FILE);
      const head = documents().view(file).head;
      const meant = head.findings.some((one) => one.id === finding && (one.range?.start ?? null) === start);
      if (!meant || head.version !== version) {
        throw refuse("stale", "The text changed meanwhile, and the finding with it. Nothing was changed; look again.");
      }
      return done(version, lineEndChanges(documents().text(file) ?? "", action === "use-crlf"));
    },
    undo_rename: ({ from, to }) => swap(to, from),
    decodings: (file) => ({ file, first_bad: 2, decodings: FOREIGN }),
    convert: ({ file, encoding }): Frame<DocumentView> => {
      const chosen = FOREIGN.find((one) => one.encoding === encoding);
      if (!chosen || chosen.bad > 0) throw refuse("invalid", `${encoding} has no character for 1 places of this file.`);
      return documents().convert(file, chosen.excerpt);
    },
  } satisfies { [K in CommandName]?: (request: Request<K>) => Reply<K> };
}
