/** The desktop shell. The only file that knows Tauri. */
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWindow } from "@tauri-apps/api/window";
import { open as openDialog } from "@tauri-apps/plugin-dialog";
import { openUrl, revealItemInDir } from "@tauri-apps/plugin-opener";
import { getLocale } from "../messages/compiled/runtime.js";
import { asApiError, type Backend, type CommandName, type Reply, type Request, type WorkspaceChanged } from "./backend";
import { readFrame } from "./frame";
import { FRAMED } from "./generated/commands";

/** Name of the event that tells of changed files. */
const WORKSPACE_CHANGED = "workspace-changed";

async function call<K extends CommandName>(name: K, request: Request<K>): Promise<Reply<K>> {
  try {
    const reply = await invoke<unknown>(name, { request, language: getLocale() });
    return (FRAMED.has(name) ? readFrame(reply) : reply) as Reply<K>;
  } catch (thrown) {
    throw asApiError(thrown);
  }
}

function onWorkspaceChanged(listener: (change: WorkspaceChanged) => void): () => void {
  let stopped = false;
  const stop = listen<WorkspaceChanged>(WORKSPACE_CHANGED, (event) => {
    if (!stopped) listener(event.payload);
  });
  return () => {
    stopped = true;
    void stop.then((unlisten) => unlisten());
  };
}

/** Connects to the shell that holds this window. */
export function connect(): Backend {
  return {
    call,
    onWorkspaceChanged,
    chooseFolder: async (title) => openDialog({ directory: true, multiple: false, recursive: true, title }),
    openExternal: (target) => (target.startsWith("https:") ? openUrl(target) : revealItemInDir(target)),
    copyText: (text) => navigator.clipboard.writeText(text),
    setWindowTitle: (title) => getCurrentWindow().setTitle(title),
    commandKey: navigator.userAgent.includes("Mac OS"),
  };
}
