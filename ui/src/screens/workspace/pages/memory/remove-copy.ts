/** Takes a copy of something said twice out of its file, as an edit that can be undone; nothing is saved by it. */
import { isolateHistory, undo } from "@codemirror/commands";
import type { Transaction } from "@codemirror/state";
import type { MemoryCopy } from "../../../../backend/backend";
import { positionOfByte } from "../../../../prompt/bytes";
import { sameFile, type OpenDocument } from "../../../../state/document.svelte";
import type { Session } from "../../../../state/session.svelte";

/** A copy that was taken out. */
export interface Removed {
  copy: MemoryCopy;
  document: OpenDocument;
}

const apply = (document: OpenDocument, transaction: Transaction): void => {
  if (document.attached) document.attached(transaction);
  else document.update([transaction]);
};

/** Removes the copy. `null` when the file cannot be edited, or no longer says this there. */
export async function removeCopy(session: Session, copy: MemoryCopy): Promise<Removed | null> {
  if (!copy.file) return null;
  await session.openFile(copy.file);
  const document = session.current;
  if (!document || !sameFile(document.file, copy.file) || !document.editable) return null;
  const { doc } = document.editor;
  const from = positionOfByte(doc, copy.range.start - document.leadingBytes);
  const to = positionOfByte(doc, copy.range.end - document.leadingBytes);
  const there = doc.sliceString(from, to);
  if (copy.complete ? there !== copy.text : !there.startsWith(copy.text)) return null;
  apply(
    document,
    document.editor.update({
      changes: { from, to },
      selection: { anchor: from },
      annotations: isolateHistory.of("full"),
      userEvent: "delete",
    }),
  );
  await document.settled();
  return { copy, document };
}

/** Puts it back: the file's last edit is undone. */
export async function putBack({ document }: Removed): Promise<void> {
  undo({ state: document.editor, dispatch: (transaction) => apply(document, transaction) });
  await document.settled();
}
