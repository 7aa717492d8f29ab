// Cards as tiles, with all that is printed on them, and the lists that are looked at.

import { art } from "../static/art.js";
import { show } from "../static/dialogs.js";
import { byId, capital, h } from "../static/dom.js";
import { explained } from "../static/terms.js";

const FORCES = ["weak", "medium", "strong"];

/** The price of a card: gold for an elite one. */
export function price({ elite, cost }) {
  if (cost === null) return null; // it is in no deck
  return h("span", { class: `price ${elite ? "gold" : "silver"}`, title: elite ? "gold" : "gold or silver" }, `${cost}`, h("i", {}, elite ? "gold" : "silver"));
}

/** What a simple strike comes to, by how hard it lands. */
export function strike(numbers) {
  return h("span", { class: "strike" }, numbers.map((number, force) => h("span", { class: FORCES[force] }, h("b", {}, `${number}`), h("i", {}, FORCES[force]))));
}

/** A card in words, as a screen reader says it. */
export const says = ({ title, type, facts, text }) => `${title}, ${type}, ${facts}. ${text}`;

/** A card, face up. With `pick` it is a button; `checked` makes it a box to tick; `mark` and `notes` say more of it. */
export function tile(texts, card, { mark = "", notes = [], pick = null, picked = false, checked = null, disabled = false, more = "" } = {}) {
  const face = texts.faces[card];
  const role = pick ? { type: "button", onclick: pick } : {};
  if (checked !== null) Object.assign(role, { role: "checkbox", "aria-checked": `${checked}` });
  if (disabled) role["aria-disabled"] = "true";
  return h(pick ? "button" : "div", { class: `tile ${face.element} ${pick && !disabled ? "can" : ""} ${picked || checked ? "picked" : ""} ${disabled ? "cannot" : ""} ${more}`,
    "data-card": card, "aria-label": pick ? `${says(face)} ${mark}` : null, ...role },
    price(face), h("strong", {}, face.title), art(face.card), h("em", {}, capital(face.type)),
    h("span", { class: "numbers" }, h("span", {}, "life ", h("b", {}, `${face.life}`)), h("span", {}, "moves ", h("b", {}, `${face.movement}`))),
    strike(face.strike),
    h("span", { class: "words" }, mark ? h("b", { class: "mark" }, mark) : null,
      face.keywords.length ? h("span", { class: "line" }, explained([capital(`${face.keywords.join(", ")}.`)])) : null,
      face.taps.map((tap) => h("span", { class: "line" }, h("b", {}, explained(["Tap: "])), explained([`${tap}.`]))),
      face.text ? h("span", { class: "line" }, explained([face.text])) : null,
      notes.map((note) => h("span", { class: "line note" }, capital(`${note}.`)))));
}

/** Let the keys scroll the words of cards that have no room for all of theirs. */
export function scrollable(root) {
  for (const words of root.querySelectorAll("div.tile > .words")) {
    if (words.scrollHeight > words.clientHeight) words.tabIndex = 0;
  }
}

/** One card, large, with what there is to say of it now, and buttons of what it can do. */
export function look(texts, card, now = null, buttons = []) {
  const words = now ? [`Life ${now.life} of ${now.whole}`, ...(now.closed ? [now.stunned ? "stunned" : "closed"] : []), ...now.says, ...now.notes] : [];
  show(texts.faces[card].title, [h("div", { class: "creature" }, tile(texts, card, { more: "large", notes: words }),
    buttons.length ? [h("h3", {}, "What it can do"), h("div", { class: "can", onclick: () => byId("dialog").close() }, buttons)] : null)]);
}

/** All cards. */
export function catalogue(texts) {
  show("Cards", [h("div", { class: "card-list" }, texts.faces.map((_, card) => tile(texts, card)))]);
}

/** The deck of a player; of an own one also what was dealt of it and bought. */
export function deck(texts, view, seat) {
  const { name, cards } = view.scene.decks[seat];
  const own = new Map((view.own[seat]?.deal ?? []).map(([card, dealt, bought]) => [card, `, ${dealt} dealt, ${bought} bought`]));
  const count = cards.reduce((sum, [, copies]) => sum + copies, 0);
  show(`The deck of ${view.scene.names[seat]}`, [h("p", {}, `${name ? capital(name) : "A deck of its own"}: ${count} cards.`),
    h("div", { class: "card-list" }, cards.map(([card, copies]) => tile(texts, card, { mark: `${copies} in the deck${own.get(card) ?? ""}` })))]);
}
