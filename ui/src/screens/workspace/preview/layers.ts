/** The layers of a preview as the list above the prompt shows them. */
import type { CountView, PreviewHead } from "../../../backend/backend";
import { m } from "../../../messages";
import { sum } from "../../../messages/format";
import { skippedWhy } from "../../../messages/words";
import { LAYERS, type LayerName } from "../../../prompt/layout";

/** More titles than this are no help in one line. */
const MOST_TITLES = 12;

export interface LayerSummary {
  layer: LayerName;
  name: string;
  /** What is in it, in a few words. */
  detail: string;
  /** `null` where the tokens are part of another layer's. */
  tokens: CountView | null;
  /** Reasons and tokens of what was left out. */
  skipped: { reason: string; detail: string; tokens: number | null }[];
  /** True when nothing of it is in the prompt. */
  empty: boolean;
}

const NAMES: Record<LayerName, () => string> = {
  1: m.layer_1,
  2: m.layer_2,
  3: m.layer_3,
  4: m.layer_4,
  5: m.layer_5,
  U: m.layer_u,
};

export const layerName = (layer: LayerName | null): string => (layer === null ? "" : NAMES[layer]());

export function summarise(head: PreviewHead): LayerSummary[] {
  return LAYERS.map((layer) => {
    const name = layerName(layer);
    if (layer === "U") {
      const current = head.messages.filter((message) => message.current);
      const detail = head.user_message.slice(0, head.user_message.length - head.runtime_suffix.length).trim();
      const tokens = current.length > 0 ? sum(current.map((message) => message.tokens)) : null;
      return {
        layer,
        name,
        detail: detail === "" ? m.no_message() : detail,
        tokens,
        skipped: [],
        empty: current.length === 0,
      };
    }
    const sections = head.sections.filter((section) => section.layer === layer);
    const skipped = head.skipped.filter((one) => one.layer === layer);
    if (layer === 5 && sections.length === 0) {
      const detail = head.runtime_suffix.trim().replaceAll(/\s*\n\s*/g, " · ");
      return { layer, name, detail, tokens: null, skipped, empty: head.runtime_suffix === "" };
    }
    const titles = sections.slice(0, MOST_TITLES).map((section) => section.title);
    const rest = sections.length - titles.length;
    const shown = titles.join(" · ") + (rest > 0 ? m.and_more({ count: rest }) : "");
    const detail = sections.length > 0 ? shown : skipped.map(skippedWhy).join(" ");
    return {
      layer,
      name,
      detail,
      tokens: sum(sections.map((section) => section.tokens)),
      skipped,
      empty: sections.length === 0,
    };
  });
}
