/** What is wrong with a file, in the person's language: what happened, what was kept, what to do. */
import type { FileProblem, ProblemView, SaveAgreed } from "../../../backend/backend";
import { m } from "../../../messages";

type Words = Record<FileProblem, { title: (inputs: { file: string }) => string; detail: (() => string) | null }>;

/** When a save failed. The typed text is kept in every case. */
const NOT_SAVED: Words = {
  unreadable: { title: m.files_not_saved, detail: null },
  not_a_file: { title: m.files_not_saved_not_a_file, detail: m.files_not_saved_not_a_file_detail },
  broken_link: { title: m.files_not_saved_broken_link, detail: m.files_not_saved_broken_link_detail },
  app_file: { title: m.files_not_saved, detail: m.files_app_file_detail },
  not_utf8: { title: m.files_not_saved, detail: null },
  too_large: { title: m.files_not_saved, detail: null },
  disk_full: { title: m.files_not_saved_disk_full, detail: m.files_not_saved_disk_full_detail },
  no_permission: { title: m.files_not_saved_no_permission, detail: m.files_not_saved_no_permission_detail },
  folder_gone: { title: m.files_not_saved_folder_gone, detail: m.files_not_saved_folder_gone_detail },
  outside: { title: m.files_not_saved_outside, detail: m.files_not_saved_outside_detail },
  hard_linked: { title: m.files_not_saved_hard_linked, detail: m.files_not_saved_hard_linked_detail },
  busy: { title: m.files_not_saved_busy, detail: m.files_not_saved_busy_detail },
  version_not_kept: { title: m.files_not_saved_version, detail: m.files_not_saved_version_detail },
  save_failed: { title: m.files_not_saved, detail: null },
};

/** When a file cannot be edited here. */
const UNUSABLE: Partial<Words> = {
  broken_link: { title: m.files_broken_link, detail: m.files_broken_link_detail },
  not_a_file: { title: m.files_not_a_file, detail: m.files_not_a_file_detail },
  app_file: { title: m.file_read_only, detail: m.files_app_file_detail },
  not_utf8: { title: m.file_read_only, detail: null },
  too_large: { title: m.file_read_only, detail: m.files_too_large_detail },
};

/** What the person can agree to, so that a save that was refused is made. */
export const AGREE: Partial<Record<FileProblem, { label: () => string; agreed: Partial<Omit<SaveAgreed, "file">> }>> = {
  hard_linked: { label: m.files_agree_in_place, agreed: { in_place: true } },
  outside: { label: m.files_agree_outside, agreed: { outside: true } },
  version_not_kept: { label: m.files_agree_without_version, agreed: { without_version: true } },
};

export function titleOf({ kind, saving }: ProblemView, file: string): string {
  const words = saving ? NOT_SAVED[kind] : UNUSABLE[kind];
  return (words?.title ?? m.file_unusable)({ file });
}

/** The consequence and the way out; else, or where the system's own words say more, the backend's reason. */
export function whatToDo({ kind, saving }: ProblemView, reason: string | null): string | null {
  const words = saving ? NOT_SAVED[kind] : UNUSABLE[kind];
  return words?.detail?.() ?? reason;
}
