/**
 * Finds names from a few of their letters. Pure.
 *
 * Every word of the query has to be in the text: as it is, or its letters in order. What begins a word counts most,
 * then what stands together, then what comes early; a whole name comes before all. Case and accents do not count.
 */

const START = 100;
const TOGETHER = 60;
const SCATTERED = 20;
const WHOLE = 1_000_000;

/** A text as it is compared: without accents and letter case. */
export const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

function wordScore(word: string, text: string): number | null {
  const at = text.indexOf(word);
  if (at >= 0) {
    const starts = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
    return (starts ? START : TOGETHER) - Math.min(at, 10);
  }
  // Two letters that are far apart match nearly everything.
  if (word.length < 3) return null;
  let from = 0;
  let first = -1;
  for (const letter of word) {
    const found = text.indexOf(letter, from);
    if (found < 0) return null;
    if (first < 0) first = found;
    from = found + letter.length;
  }
  const spread = from - first - word.length;
  return spread > word.length * 3 ? null : SCATTERED - Math.min(spread, 19);
}

/** How well `text` answers `query`; `null` when it does not. An empty query is answered by everything alike. */
export function score(query: string, text: string): number | null {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const inside = plain(text);
  let sum = 0;
  for (const word of words) {
    const one = wordScore(word, inside);
    if (one === null) return null;
    sum += one;
  }
  return sum;
}

/** The items that answer, the best first; those that answer alike stay in their order. */
export function ranked<T>(
  query: string,
  items: readonly T[],
  text: (item: T) => string,
  name: (item: T) => string = () => "",
): T[] {
  const whole = plain(query).trim();
  return items
    .flatMap((item) => {
      const value = score(query, text(item));
      if (value === null) return [];
      return [{ item, value: whole !== "" && plain(name(item)) === whole ? WHOLE : value }];
    })
    .sort((left, right) => right.value - left.value)
    .map(({ item }) => item);
}
