import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { paraglideVitePlugin, type CompilerOptions } from "@inlang/paraglide-js";
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

export default defineConfig(({ mode }) => ({
  plugins: [
    // Tests run on what `npm run messages` compiled: the plugin would keep watching when they are done.
    process.env.VITEST ? [] : paraglideVitePlugin(MESSAGES),
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
