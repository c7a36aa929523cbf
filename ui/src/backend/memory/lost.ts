/** Unsaved edits whose folder is not here, in memory. */
import type { Frame, LostDraft, LostDraftHead, LostDraftName, LostDrafts } from "../backend";
import { refuse } from "./documents";

interface Kept {
  draft: LostDraft;
  text: string;
}

const kept = (folder: string, exists: boolean, path: string, text: string): Kept => ({
  draft: {
    name: { folder, path, writer: "4711-window" },
    time: "2026-11-28T17:05:00Z",
    bytes: new TextEncoder().encode(text).length,
    exists,
  },
  text,
});

/** The drafts, which can be read and thrown away. */
export class Lost {
  private drafts: Kept[];

  constructor(some: boolean) {
    this.drafts = some
      ? [
          kept("/mnt/stick/bakery/.catbuddy", false, "SOUL.md", "Bakes at four.\n"),
          kept("/home/juniper/old/.catbuddy", true, "USER.md", "Likes plums.\n"),
        ]
      : [];
  }

  list(): LostDrafts {
    return { drafts: this.drafts.map(({ draft }) => draft) };
  }

  read(name: LostDraftName): Frame<LostDraftHead> {
    const { draft, text } = this.find(name);
    return { head: { draft, damage: null }, body: new TextEncoder().encode(text) };
  }

  discard(name: LostDraftName): LostDrafts {
    const gone = this.find(name);
    this.drafts = this.drafts.filter((one) => one !== gone);
    return this.list();
  }

  private find(name: LostDraftName): Kept {
    const found = this.drafts.find(({ draft }) => draft.name.folder === name.folder && draft.name.path === name.path);
    if (!found) throw refuse("not_found", "The draft is not there any more.");
    return found;
  }
}
