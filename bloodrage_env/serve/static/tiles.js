// Cards as tiles.

import { art } from "./art.js";
import { capital, h } from "./dom.js";
import { explained } from "./terms.js";

/** A card, face up. With `pick` it is a button; `more` are further classes, `mark` says how a quest stands, `paid` what an upgrade costs now. */
export function tile(texts, card, { pick = null, more = "", label = "", mark = null, paid = null } = {}) {
  const face = texts.faces[card];
  const worth = face.type === "quest" ? `${face.glory}` : face.type === "battle" ? `+${face.strength}` : `${paid ?? face.price}`;
  const unit = { quest: "glory", battle: face.late ? "late" : "STR" }[face.type] ?? "Rage";
  const said = `${label ? `${label}: ` : ""}${face.title}, ${face.facts}. ${face.text}${mark ? ` ${capital(mark)} as the board stands.` : ""}`;
  const role = pick ? { type: "button", onclick: () => pick(card) } : { role: "img" };
  return h(pick ? "button" : "div", { class: `tile ${face.type} ${more}`, "data-card": card, "aria-label": said, ...role },
    h("span", { class: `worth ${paid !== null && paid < face.price ? "less" : ""}`, title: paid !== null && paid < face.price ? `${face.price} Rage, less for you now` : face.facts }, h("b", {}, worth), h("i", unit === "late" ? { "data-term": unit } : {}, unit)),
    h("strong", {}, face.title), art(card),
    h("em", {}, kind(face), mark ? h("b", { class: `standing ${mark}` }, mark) : null),
    h("span", { class: "words" }, explained([face.text])));
}

function kind(face) {
  if (face.type === "quest") return "Quest";
  if (face.type === "battle") return "Battle";
  const strength = face.type === "clan" ? "" : `, STR ${face.strength}`;
  return `${capital(face.type)}${strength}`;
}
