/** The states that files of the in-memory workspace had. */
import type { FileRef, Frame, VersionHead, VersionKindView, VersionList } from "../backend";
import { keyOf, refuse } from "./documents";

interface Kept {
  id: number;
  time: string;
  kind: VersionKindView;
  text: string;
  damaged: boolean;
}

const encoder = new TextEncoder();
const size = (text: string): number => encoder.encode(text).length;
const PAGE = 100;

export class Versions {
  private readonly kept = new Map<string, Kept[]>();
  private serial = 0;

  constructor(private readonly clock: () => string) {}

  /** Newest first; the newest stands for an equal one. */
  private of(file: FileRef): Kept[] {
    const key = keyOf(file);
    const list = this.kept.get(key) ?? [];
    this.kept.set(key, list);
    return list;
  }

  keep(file: FileRef, text: string | null, kind: VersionKindView, time = this.clock()): void {
    const list = this.of(file);
    if (text === null || list[0]?.text === text) return;
    list.unshift({ id: ++this.serial, time, kind, text, damaged: false });
  }

  damage(file: FileRef, id: number): void {
    for (const version of this.of(file)) if (version.id === id) version.damaged = true;
  }

  list(file: FileRef, before: number | null, onDisk: string | null): VersionList {
    const all = this.of(file).filter((version) => before === null || version.id < before);
    const current = before === null ? all.find((version) => version.text === onDisk)?.id : undefined;
    const versions = all.slice(0, PAGE).map(({ id, time, kind, text }, at) => {
      const older = all[at + 1];
      return {
        id,
        time,
        kind,
        bytes: size(text),
        change: older ? size(text) - size(older.text) : null,
        current: id === current,
      };
    });
    return { kept: true, versions, more: all.length > PAGE };
  }

  version(file: FileRef, id: number): Frame<VersionHead> {
    const found = this.of(file).find((version) => version.id === id);
    if (!found) throw refuse("not_found", `There is no version ${id} of this file.`);
    if (found.damaged) throw refuse("failed", `Version ${id} is damaged: it does not match its hash.`);
    return {
      head: { id, time: found.time, bytes: size(found.text), text: true },
      body: encoder.encode(found.text),
    };
  }
}
