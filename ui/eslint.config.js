import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "dist-browser/", "src/backend/generated/", "src/messages/compiled/", "project.inlang/"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      // TypeScript checks names; the rule does not know types.
      "no-undef": "off",
      eqeqeq: "error",
      "max-lines": ["error", { max: 450 }],
      "@typescript-eslint/no-explicit-any": "error",
      // The shell is reached through one file, so that everything else runs in a browser and in tests.
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["@tauri-apps/*"], message: "Use the Backend interface." }] },
      ],
      // Texts and source maps are held raw and replaced whole: proxies make reading big data slow.
      "svelte/prefer-svelte-reactivity": "off",
      // User text reaches the page as text only.
      "svelte/no-at-html-tags": "error",
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }],
    },
  },
  { files: ["src/backend/tauri.ts"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig } },
  },
  { files: ["vite.config.ts", "*.js", "tests/**"], languageOptions: { globals: { ...globals.node } } },
);
