/** What `vite.config.ts` makes of Emojibase: the emoji, its name, other words for it. */
declare module "virtual:emoji/*" {
  const names: readonly (readonly [emoji: string, name: string, words: readonly string[]])[];
  export default names;
}
