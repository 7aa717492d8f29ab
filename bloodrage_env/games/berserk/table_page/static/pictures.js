// Pictures of the rules in short.

import { h } from "../static/dom.js";
import { tile } from "./cards.js";

const DICE = [["white", "1 to 3", "weak"], ["white", "4 or 5", "medium"], ["white", "6", "strong"], ["black", "1 to 4", "it lands"], ["black", "5", "both miss"], ["black", "6", "the target strikes back"]];

/** A picture of the rules in short, by its name in primer.json. */
export function picture(name, texts) {
  if (name === "card") return h("div", { class: "picture card-picture" }, tile(texts, texts.faces.findIndex(({ taps, elite }) => taps.length && elite), { more: "large" }));
  if (name === "dice") return h("ul", { class: "picture" }, DICE.map(([kind, die, text]) => h("li", {}, h("b", { class: `die ${kind}` }, die), text)));
  throw new Error(`there is no picture ${name}`);
}
