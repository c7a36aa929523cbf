/** Repairs of findings, as every list of findings does them. */
import { asApiError, type FindingView } from "../../../backend/backend";
import type { FindingId } from "../../../backend/generated/findings";
import { m } from "../../../messages";
import { sameFile } from "../../../state/document.svelte";
import type { Session } from "../../../state/session.svelte";
import type { Desk } from "../desk.svelte";

type Underscored<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}_${Underscored<Tail>}`
  : Text;
type TitleKey = `finding_${Underscored<FindingId>}`;

/** One for each finding: a title that is missing does not compile. */
const TITLES: Record<TitleKey, () => string> = m;

const key = (text: string): string => text.replaceAll("-", "_");

/** The short title of a finding; a finding that this window does not know has its id. */
export function findingTitle(id: string): string {
  const title: (() => string) | undefined = TITLES[`finding_${key(id)}` as TitleKey];
  return title?.() ?? id;
}

const LABELS: Record<string, () => string> = {
  "add-final-newline": m.findings_fix_add_final_newline,
  "close-front-matter": m.findings_fix_close_front_matter,
  "convert-to-utf8": m.findings_fix_convert_to_utf8,
  "empty-file": m.findings_fix_empty_file,
  "escape-spoof": m.findings_fix_escape_spoof,
  "front-matter-lf": m.findings_fix_front_matter_lf,
  "quote-description": m.findings_fix_quote_description,
  "remove-duplicate-block": m.findings_fix_remove_duplicate_block,
  rename: m.findings_fix_rename,
  "strip-bom": m.findings_fix_strip_bom,
  "unfold-description": m.findings_fix_unfold_description,
  "unquote-description": m.findings_fix_unquote_description,
  "use-crlf": m.findings_fix_use_crlf,
  "use-lf": m.findings_fix_use_lf,
};

/** What the button of a repair says. */
export const fixLabel = (action: string): string => LABELS[action]?.() ?? action;

/** A name for the button of a repair, unique among the findings of a file. */
export const fixKey = (finding: FindingView, action: string): string =>
  [finding.id, finding.range?.start ?? "", action].join(":");

/** Does a repair, or asks first where it renames or converts. What it did is announced, and can be undone. */
export async function fix(session: Session, desk: Desk, finding: FindingView, action: string): Promise<void> {
  const { file } = finding;
  if (!file) return;
  if (action === "rename" || action === "convert-to-utf8") {
    desk.panel = null;
    desk.fixing = { finding, action };
    return;
  }
  try {
    if (!sameFile(session.current?.file ?? null, file)) await session.openFile(file);
    const document = session.current;
    if (!document || !sameFile(document.file, file)) return;
    await document.settled();
    const request = {
      file,
      version: document.version,
      finding: finding.id,
      start: finding.range?.start ?? null,
      action,
    };
    const { version, changes } = await session.backend.call("fix", request);
    if (document.editable && document.apply(version, changes, "input.repair"))
      session.announcer.say(m.findings_fixed({ title: findingTitle(finding.id) }));
    else session.announcer.say(m.findings_moved_on());
  } catch (thrown) {
    session.notice = asApiError(thrown);
  }
}
