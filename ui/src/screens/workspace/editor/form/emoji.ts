/** Emoji, and how they are found by their names in the window's language. */
import { getLocale } from "../../../../messages/compiled/runtime.js";
import { plain } from "../../fuzzy";

export interface Emoji {
  emoji: string;
  /** Empty until the names are read. */
  name: string;
  /** Its name, then other words for it, as they are compared. */
  said: readonly string[];
}

/** What is offered before anything is searched for. */
export const OFFERED: readonly Emoji[] = [
  ..."🐱🐶🦊🐻🐼🐨🦉🐸🐢🐝🦋🌱🌿🌻🌙☀️⭐🔥🌊❄️🍀🍎🫖☕📚🧭🔭🎨🎵🧩🛠️💡🕰️🪁🚲⛵🏔️🏡❤️💛💚💙💜✨🙂😊🤓🧐🤖👻".matchAll(
    /\p{RI}\p{RI}|\p{Emoji}(\uFE0F|\p{EMod})?(\u200D\p{Emoji}\uFE0F?)*/gu,
  ),
].map(([emoji]) => ({ emoji, name: "", said: [] }));

/** As many as one looks through; the rest is found by another word. */
const MOST = 64;

/** Every emoji with its names in the window's language. */
export async function emojiNames(): Promise<Emoji[]> {
  const locale = getLocale();
  const { default: names } = await (locale === "zh"
    ? import("virtual:emoji/zh")
    : locale === "fr"
      ? import("virtual:emoji/fr")
      : import("virtual:emoji/en"));
  return names.map(([emoji, name, words]) => ({ emoji, name, said: [name, ...words].map(plain) }));
}

/** Those whose names hold every word of `wanted`, the nearest first. */
export function findEmoji(all: readonly Emoji[], wanted: string): Emoji[] {
  const whole = plain(wanted.trim());
  const asked = whole.split(/\s+/);
  const far = ({ said: [name = "", ...words] }: Emoji): number => {
    if (name === whole) return 0;
    if (words.includes(whole)) return 1;
    return name.startsWith(whole) ? 2 : 3;
  };
  return all
    .filter(
      ({ emoji, said }) => emoji === wanted.trim() || asked.every((word) => said.some((has) => has.includes(word))),
    )
    .sort((a, b) => far(a) - far(b))
    .slice(0, MOST);
}
