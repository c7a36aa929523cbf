import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { paraglideVitePlugin, type CompilerOptions } from "@inlang/paraglide-js";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * The window talks to the desktop shell; a plain browser (`npm run dev` without the shell, `--mode browser`)
 * talks to the in-memory backend. Only one of the two is in a build.
 */
function backend(mode: string): string {
  const inMemory = mode === "browser" || (mode === "development" && !process.env.TAURI_ENV_PLATFORM);
  return inMemory ? "./src/backend/memory.ts" : "./src/backend/tauri.ts";
}

const MESSAGES: CompilerOptions = {
  project: "./project.inlang",
  outdir: "./src/messages/compiled",
  strategy: ["globalVariable", "baseLocale"],
};

/** An emoji as Emojibase has it, and Unicode's names (CLDR) for it. */
interface Emoji {
  emoji: string;
  label: string;
  tags?: string[];
  order?: number;
  group?: number;
  version: number;
}
/** Newer ones are missing in the fonts of systems that people have. */
const NEWEST_EMOJI = 15;
/** Skin tones and hair, which are no emoji of their own. */
const COMPONENTS = 2;

/**
 * The names of emoji as modules: `virtual:emoji/en`, `zh`, `fr`. Cut down to what a search needs, a language is some
 * 150 kB, read when somebody searches.
 */
function emojiNames(): Plugin {
  return {
    name: "emoji-names",
    resolveId: { filter: { id: /^virtual:emoji\// }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:emoji\// },
      async handler(id) {
        const file = fileURLToPath(import.meta.resolve(`emojibase-data/${id.split("/").at(-1)}/data.json`));
        const all = JSON.parse(await readFile(file, "utf8")) as Emoji[];
        const shown = all
          .filter((one) => one.group !== undefined && one.group !== COMPONENTS && one.version <= NEWEST_EMOJI)
          .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
          // What is an emoji anyway needs no sign that it is one.
          .map((one) => [one.emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, "$1"), one.label, one.tags ?? []]);
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(shown))});`;
      },
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [
    // Tests run on what `npm run messages` compiled: the plugin would keep watching when they are done.
    process.env.VITEST ? [] : paraglideVitePlugin(MESSAGES),
    emojiNames(),
    svelte(),
    svelteTesting(),
  ],
  resolve: {
    alias: { "#backend": fileURLToPath(new URL(backend(mode), import.meta.url)) },
  },
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    // WebKitGTK 2.40 (Safari 16.4) is the oldest web view that the desktop shell meets.
    target: ["safari16.4", "chrome111"],
    // The desktop shell compresses what it embeds.
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    // The editor is most of it, and is needed for the first picture.
    chunkSizeWarningLimit: 640,
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./tests/setup.ts"],
    include: ["tests/**/*.test.ts"],
    // The whole workspace is drawn in a simulated browser: slow on a busy machine, never flaky.
    testTimeout: 120_000,
  },
}));
