/** The list of files as groups: one for each folder, its skills below, then what is never read. */
import type { FileItem, FileRef, RootId, RootView, WorkspaceView } from "../../../backend/backend";

export interface NavFile {
  file: FileRef;
  item: FileItem;
}

export interface NavGroup {
  root: RootView;
  /** Bootstrap files, then memory. */
  files: NavFile[];
  skills: NavFile[];
}

export function groupsOf(workspace: WorkspaceView): NavGroup[] {
  return workspace.roots
    .map((root) => {
      const all = root.files.map((item) => ({ file: { root: root.id, path: item.path }, item }));
      return {
        root,
        files: all.filter(({ item }) => item.group !== "skill"),
        skills: all.filter(({ item }) => item.group === "skill"),
      };
    })
    .filter((group) => group.files.length + group.skills.length > 0);
}

/** A name for tests: the label, and the root where two files have the same label. */
export function testLabel(workspace: WorkspaceView, root: RootId, label: string): string {
  const owners = workspace.roots.filter((one) => one.files.some((item) => item.label === label));
  return owners.length > 1 && owners[0]?.id !== root ? `${root}-${label}` : label;
}
