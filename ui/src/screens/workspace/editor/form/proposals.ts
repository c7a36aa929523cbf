/** What the pickers propose: time zones of this system, languages by their names. */
import { getLocale } from "../../../../messages/compiled/runtime.js";
import type { Proposal } from "./Combobox.svelte";

/** Languages that people ask an agent to answer in, most spoken first; any other text can be typed. */
const TAGS = [
  "en", "en-GB", "en-US", "zh-Hans", "zh-Hant", "hi", "es", "es-MX", "ar", "fr", "fr-CA", "bn", "pt-PT", "pt-BR", "ru",
  "ur", "id", "de", "de-AT", "de-CH", "ja", "sw", "mr", "te", "tr", "ta", "vi", "ko", "it", "fa", "th", "gu", "pl", "uk",
  "ro", "nl", "el", "hu", "cs", "sv", "he", "da", "fi", "nb", "nn", "sk", "bg", "hr", "sr", "sl", "lt", "lv", "et", "ca",
  "eu", "gl", "ga", "cy", "is", "ms", "tl", "am", "yo", "ig", "zu", "xh", "af", "sq", "hy", "ka", "az", "kk", "uz", "mn",
  "ne", "si", "km", "lo", "my", "yue",
]; // prettier-ignore

/** Upper case at the beginning, as in a list. */
const title = (name: string, locale: string): string => name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);

/** Languages; what is written is the name in the window's language, what is shown is the language's own beside it. */
export function languages(): Proposal[] {
  const locale = getLocale();
  const names = new Intl.DisplayNames([locale], { type: "language" });
  return TAGS.map((tag) => {
    const value = title(names.of(tag) ?? tag, locale);
    let own = value;
    try {
      own = title(new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? value, tag);
    } catch {
      // A system without the language's own name shows the window's.
    }
    return { value, label: own === value ? value : `${value} · ${own}`, hint: tag, words: tag };
  });
}

const offset = (zone: string, now: Date): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(now);
  return (parts.find((part) => part.type === "timeZoneName")?.value ?? "GMT").replace("GMT", "UTC");
};

/** Time zones of the IANA database, with the offset and the time there. */
export function timeZones(now: Date): Proposal[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => {
    const time = new Intl.DateTimeFormat(getLocale(), { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(
      now,
    );
    const shift = offset(zone, now);
    return { value: zone, label: zone.replaceAll("_", " "), hint: `${shift} · ${time}`, words: shift };
  });
}
