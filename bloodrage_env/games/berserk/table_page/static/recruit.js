// Recruiting: the deal that is kept or not, and the squad that is bought of it, as a set of cards that is sent at once.

import { byId, h } from "/static/dom.js";
import { tile } from "./cards.js";

/** The gold and the silver that are left: commons are paid in silver first. */
export function purse([gold, both]) {
  const left = Math.min(gold, both);
  return [left, both - left];
}

/** What a set of cards leaves of [gold for elites, gold and silver], with what is bought already (rules 2.2, 2.4). */
export function after(faces, crystals, bought, cards) {
  const elements = (set) => new Set(set.map((card) => faces[card].element).filter((each) => each !== "neutral")).size;
  const fine = Math.max(0, elements([...bought, ...cards]) - 1) - Math.max(0, elements(bought) - 1);
  const sum = (value) => cards.reduce((total, card) => total + value(faces[card]), 0);
  const more = sum(({ gold }) => gold) - fine;
  return [crystals[0] + more - sum(({ elite, cost }) => (elite ? cost : 0)), crystals[1] + more - sum(({ cost }) => cost)];
}

/** What is missing for a set of cards; 0 if the server takes it: they are bought one by one, in rising order (rules 9.1). */
export function missing(faces, crystals, bought, cards) {
  const rising = [...cards].sort((one, other) => one - other);
  const left = rising.map((_, number) => after(faces, crystals, bought, rising.slice(0, number + 1)));
  return Math.max(0, ...left.flat().map((each) => -each));
}

export class Recruiting {
  /** `send(actions)` buys; `redraw()` is called when something was ticked. In a `lesson` only its cards can be bought. */
  constructor(texts, lesson, send, redraw) {
    Object.assign(this, { texts, lesson, send, redraw, number: null, chosen: new Set(), sure: false });
  }

  /** What covers the board while a deal is kept or bought from, or null. */
  stage(view, away) {
    const own = view.own[view.seat];
    const { question, scene } = view;
    if (!question || !own?.deal.length || !["deal", "purchase"].includes(scene.phase)) return null;
    if (question.number !== this.number) {
      this.number = question.number;
      this.chosen.clear();
      this.sure = false;
    }
    const put = h("button", { type: "button", onclick: away }, "Look at the board");
    if (scene.phase === "deal") {
      const cards = own.deal.flatMap(([card, copies]) => Array(copies).fill(card));
      return h("div", { class: "recruit" }, h("header", {}, h("h2", {}, `Your deal: ${cards.length} cards`), put),
        h("p", {}, `Next you buy your squad from these cards, with ${own.crystals[0]} gold, which elite cards cost, and ${own.crystals[1] - own.crystals[0]} silver. `,
          cards.length > 1 ? `To deal again shuffles them all back and draws ${cards.length - 1}.` : "There is no other deal."),
        h("div", { class: "tiles" }, cards.map((card) => tile(this.texts, card))));
    }
    return this.purchase(view, own, put);
  }

  // Each copy is a box of its own, by [card, its number among the copies].
  copies(own) {
    return own.deal.flatMap(([card, copies, bought]) => Array.from({ length: copies }, (_, copy) => ({ card, key: `${card} ${copy}`, paid: copy < bought })));
  }

  cards(boxes) {
    return boxes.filter(({ key }) => this.chosen.has(key)).map(({ card }) => card);
  }

  // How many copies of a card a lesson asks for; any number outside a lesson, or while there is something to read first none.
  wanted(card) {
    const { only } = this.lesson;
    if (!only) return Infinity;
    return only.length ? this.lesson.view.lesson.actions.filter((action) => action === this.texts.actions.card + card).length : 0;
  }

  // Whether one more card can be bought with those chosen.
  affords(own, boxes, card) {
    const { faces } = this.texts;
    const bought = boxes.filter(({ paid }) => paid).map((box) => box.card);
    const cards = this.cards(boxes);
    if ([...bought, ...cards].filter((each) => each === card).length >= this.wanted(card)) return false;
    if (faces[card].unique && [...bought, ...cards].includes(card)) return false;
    return missing(faces, own.crystals, bought, [...cards, card]) === 0 && card >= Math.max(0, ...bought);
  }

  purchase(view, own, put) {
    const boxes = this.copies(own);
    const bought = boxes.filter(({ paid }) => paid).map((box) => box.card);
    const cards = this.cards(boxes);
    const lacks = missing(this.texts.faces, own.crystals, bought, cards);
    const [gold, silver] = purse(after(this.texts.faces, own.crystals, bought, cards));
    const left = lacks ? h("span", { class: "problem" }, `${lacks} ${lacks === 1 ? "crystal is" : "crystals are"} missing: untick a card`)
      : h("span", {}, "Left: ", h("b", { class: "price gold" }, `${gold}`), " gold, ", h("b", { class: "price silver" }, `${silver}`), " silver");
    const tiles = boxes.map(({ card, key, paid }) => {
      const checked = paid || this.chosen.has(key);
      const disabled = paid || (!checked && !this.affords(own, boxes, card));
      const mark = paid ? "bought" : checked ? "chosen" : disabled ? this.reason(boxes, card) : "";
      return tile(this.texts, card, { mark, checked, disabled, pick: () => disabled || this.toggle(key), more: `box-${key.replace(" ", "-")}` });
    });
    return h("div", { class: "recruit" },
      h("header", {}, h("h2", {}, "Buy your squad"), put),
      h("p", {}, "Tick the cards that you want. Elite cards are paid in gold, the others in silver, and in gold when no silver is left. What is left over is lost."),
      h("p", { class: "purse", role: "status" }, left,
        h("span", {}, h("b", {}, `${cards.length + bought.length}`), " cards chosen"), this.confirm(own, boxes, cards, lacks > 0)),
      h("div", { class: "tiles" }, tiles));
  }

  reason(boxes, card) {
    const { unique } = this.texts.faces[card];
    return unique && boxes.some((box) => box.card === card && (box.paid || this.chosen.has(box.key))) ? "only one of it" : this.wanted(card) === Infinity ? "too dear now" : "not in this step";
  }

  toggle(key) {
    this.sure = false;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.redraw();
    document.querySelector(`.box-${key.replace(" ", "-")}`)?.focus({ preventScroll: true });
  }

  // A click on it is asked again while something could still be bought.
  confirm(own, boxes, cards, lacks) {
    const more = !lacks && boxes.find(({ card, key, paid }) => !paid && !this.chosen.has(key) && this.affords(own, boxes, card));
    const none = !cards.length && boxes.every(({ paid }) => !paid);
    const asked = this.lesson.only ? this.lesson.view.lesson.actions.length - 1 : null; // how many a lesson asks for, all at once
    const asks = this.sure && more;
    const text = asked !== null && cards.length !== asked ? `Tick all ${asked} marked cards (${cards.length} of ${asked})` : none ? "Choose at least one card" : asks ? `Buy only ${cards.length === 1 ? "this card" : `these ${cards.length} cards`}` : `Buy ${cards.length === 1 ? "this card" : `these ${cards.length} cards`}`;
    return h("span", { class: "confirm" },
      asks ? h("span", { class: "problem" }, `Crystals are left: ${this.texts.faces[more.card].title} could still be bought. `) : null,
      h("button", { type: "button", class: "main", id: "buy", disabled: none || lacks || (asked !== null && cards.length !== asked), onclick: () => {
        if (more && !this.sure) {
          this.sure = true;
          this.redraw();
          byId("buy").focus();
        } else this.send(this.actions(cards));
      } }, text));
  }

  // The answers that buy these cards: rising, and the end (rules 9.1).
  actions(cards) {
    const { card: start, done } = this.texts.actions;
    return [...cards.sort((one, other) => one - other).map((card) => start + card), done];
  }
}
