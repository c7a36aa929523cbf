/** Numbers, times and counts as people read them. */
import type { CountView } from "../backend/backend";
import { getLocale } from "./compiled/runtime.js";
import { m } from "./index";

/** Formatters are costly to make and are asked for hundreds of times a keystroke: one of a kind for each language. */
function once<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const locale = getLocale();
    const formatter = made.get(locale) ?? make(locale);
    made.set(locale, formatter);
    return formatter;
  };
}

const whole = once((locale) => new Intl.NumberFormat(locale));
const tenths = once((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const share = once((locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }));
const minute = once((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));

/** A whole number with its thousands marked: 18,706. */
export const number = (value: number): string => whole().format(value);

const MIB = 1024 * 1024;

/** Bytes as MiB, to a tenth where there are few; what is something never reads as nothing. */
export function mib(bytes: number): string {
  const size = bytes / MIB;
  if (size >= 10) return m.places_mib({ size: number(Math.round(size)) });
  const little = size > 0 && size < 0.1;
  return m.places_mib({ size: `${little ? "< " : ""}${tenths().format(little ? 0.1 : size)}` });
}

/** A share of a whole, in percent without decimals. */
export const percent = (part: number, all: number): string => share().format(all === 0 ? 0 : part / all);

/** A count: a number when it is exact, an interval when it is not, a word when it is unknown. */
export function count(value: CountView | null | undefined): string {
  if (!value || value.total === null) return m.count_unknown();
  if (value.exact || value.low === null || value.high === null || value.low === value.high) return number(value.total);
  return `${number(value.low)}–${number(value.high)}`;
}

/** How a count was obtained. */
export function method(value: CountView): string {
  if (value.total === null) return m.count_unknown();
  return value.exact ? m.count_exact() : m.count_estimate({ method: value.method });
}

/** A moment, to the minute, in the person's own zone. */
export function moment(rfc3339: string): string {
  const time = new Date(rfc3339);
  if (Number.isNaN(time.getTime())) return rfc3339;
  return minute().format(time);
}

/** The sum of counts; unknown as soon as one of them is. */
export function sum(values: readonly CountView[]): CountView {
  let total: CountView = { total: 0, low: 0, high: 0, exact: true, method: values[0]?.method ?? "" };
  for (const value of values) {
    total = {
      total: add(total.total, value.total),
      low: add(total.low, value.low ?? value.total),
      high: add(total.high, value.high ?? value.total),
      exact: total.exact && value.exact,
      method: value.exact ? total.method : value.method,
    };
  }
  return total;
}

const add = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? null : left + right;
