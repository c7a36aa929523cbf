/**
 * The language of the window: what the person chose, else the desktop's, else English.
 *
 * The choice belongs to the settings. A copy of it stands in the browser's storage, so that the first picture, drawn
 * before the backend has answered, is in the right language already. Whoever draws text draws it again after a change:
 * a message is read when it is drawn, and nothing here asks for that.
 */
import { baseLocale, isLocale, locales, overwriteGetLocale, type Locale } from "./compiled/runtime.js";
import { m } from "./index";

export type { Locale };

const KEY = "cbw.language";

/** What assistive technology and fonts are told. Chinese is written in the simplified script here. */
const TAGS: Record<Locale, string> = { en: "en", zh: "zh-Hans", fr: "fr" };

/** The languages that can be chosen, each by its own name. */
export const LANGUAGES: readonly { id: Locale; name: () => string }[] = [
  { id: "en", name: m.places_language_en },
  { id: "zh", name: m.places_language_zh },
  { id: "fr", name: m.places_language_fr },
];

let current: Locale = baseLocale;
overwriteGetLocale(() => current);

/** The first of the desktop's languages that the catalogue has. */
function desktopLocale(): Locale {
  for (const language of navigator.languages) {
    const primary = language.toLowerCase().split(/[-_]/)[0];
    const known = locales.find((locale) => locale === primary);
    if (known) return known;
  }
  return baseLocale;
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is off: the desktop's language is shown until the settings are there.
    return null;
  }
}

function remember(chosen: string | null): void {
  try {
    if (chosen === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // As above; the settings are read again at the next start.
  }
}

function apply(chosen: string | null): Locale {
  current = isLocale(chosen) ? chosen : desktopLocale();
  document.documentElement.lang = TAGS[current];
  return current;
}

/** Before the first picture: what was chosen last, by this window's own memory. */
export function startLanguage(): Locale {
  return apply(remembered());
}

/** Takes the settings' choice over; `null` is the desktop's. Returns what is spoken from now on. */
export function chooseLanguage(chosen: string | null): Locale {
  remember(chosen);
  return apply(chosen);
}
