// Recruiting: the deal that is kept or not, and the squad that is bought of it, as a set of cards that is sent at once.
// What a set leaves and which cards can be added to it is asked of the server.

import { byId, h } from "../static/dom.js";
import { tile } from "./cards.js";

export class Recruiting {
  /**
   * `send(actions)` buys, `tried(number, actions)` says what would be left; `redraw()` is called when something was ticked or is
   * known. In a `lesson` only its cards can be bought.
   */
  constructor(texts, lesson, send, tried, redraw) {
    Object.assign(this, { texts, lesson, send, tried, redraw, question: "", number: 0, chosen: new Set(), sure: false, purse: null, asked: 0 });
  }

  /** What covers the board while a deal is kept or bought from, or null. */
  stage(view, away) {
    const own = view.own[view.seat];
    const { question, scene } = view;
    if (!question || !own?.deal.length || !["deal", "purchase"].includes(scene.phase)) return null;
    const asked = `${view.seat} ${question.number} ${scene.phase}`;
    if (asked !== this.question) {
      this.question = asked;
      this.number = question.number;
      this.chosen.clear();
      this.sure = this.waits = false;
      this.purse = own.purse;
      this.own = own;
    }
    const put = h("button", { type: "button", onclick: away }, "Look at the board");
    if (scene.phase === "deal") {
      const cards = own.deal.flatMap(([card, copies]) => Array(copies).fill(card));
      return h("div", { class: "recruit" }, h("header", {}, h("h2", {}, `Your deal: ${cards.length} cards`), put),
        h("p", {}, `Next you buy your squad from these cards, with ${own.purse.left[0]} gold, which elite cards cost, and ${own.purse.left[1]} silver. `,
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

  // Whether one more card can be bought with those chosen, or those before while that is asked.
  affords(boxes, card) {
    const count = boxes.filter((box) => box.card === card && (box.paid || this.chosen.has(box.key))).length;
    return count < this.wanted(card) && this.purse.more.includes(card);
  }

  purchase(view, own, put) {
    const boxes = this.copies(own);
    const bought = boxes.filter(({ paid }) => paid).map((box) => box.card);
    const cards = this.cards(boxes);
    const { left } = this.purse;
    const purse = !left ? h("span", { class: "problem" }, "These cards can't all be bought: untick one")
      : h("span", {}, "Left: ", h("b", { class: "price gold" }, `${left[0]}`), " gold, ", h("b", { class: "price silver" }, `${left[1]}`), " silver");
    const tiles = boxes.map(({ card, key, paid }) => {
      const checked = paid || this.chosen.has(key);
      const disabled = paid || (!checked && !this.affords(boxes, card));
      const mark = paid ? "bought" : checked ? "chosen" : disabled ? this.reason(boxes, card) : "";
      return tile(this.texts, card, { mark, checked, disabled, pick: () => disabled || this.toggle(key), more: `box-${key.replace(" ", "-")}` });
    });
    return h("div", { class: "recruit" },
      h("header", {}, h("h2", {}, "Buy your squad"), put),
      h("p", {}, "Tick the cards that you want. Elite cards are paid in gold, the others in silver, and in gold when no silver is left. What is left over is lost."),
      h("p", { class: "purse", role: "status", "aria-busy": `${Boolean(this.waits)}` }, purse,
        h("span", {}, h("b", {}, `${cards.length + bought.length}`), " cards chosen"), this.confirm(boxes, cards, !left || this.waits)),
      h("div", { class: "tiles" }, tiles));
  }

  reason(boxes, card) {
    const { unique } = this.texts.faces[card];
    return unique && boxes.some((box) => box.card === card && (box.paid || this.chosen.has(box.key))) ? "only one of it" : this.wanted(card) === Infinity ? "too dear now" : "not in this step";
  }

  toggle(key) {
    this.sure = false;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.ask();
    document.querySelector(`.box-${key.replace(" ", "-")}`)?.focus({ preventScroll: true });
  }

  // What the chosen cards leave; an answer counts unless others have been chosen since.
  async ask() {
    const asked = ++this.asked, { number, question } = this;
    this.waits = true;
    this.redraw();
    const boxes = this.copies(this.own);
    const purse = await this.tried(number, this.cards(boxes).map((card) => this.texts.actions.card + card));
    if (asked !== this.asked || question !== this.question) return;
    this.waits = false;
    if (purse) this.purse = purse;
    const focused = [...document.activeElement.classList].find((name) => name.startsWith("box-"));
    this.redraw();
    if (focused) document.querySelector(`.${focused}`)?.focus({ preventScroll: true });
  }

  // A click on it is asked again while something could still be bought.
  confirm(boxes, cards, off) {
    const more = !off && boxes.find(({ card, key, paid }) => !paid && !this.chosen.has(key) && this.affords(boxes, card));
    const none = !cards.length && boxes.every(({ paid }) => !paid);
    const asked = this.lesson.only ? this.lesson.view.lesson.actions.length - 1 : null; // how many a lesson asks for, all at once
    const asks = this.sure && more;
    const text = asked !== null && cards.length !== asked ? `First tick the ${asked} marked cards (${cards.length} of ${asked})` : none ? "Choose at least one card" : asks ? `Buy only ${cards.length === 1 ? "this card" : `these ${cards.length} cards`}` : `Buy ${cards.length === 1 ? "this card" : `these ${cards.length} cards`}`;
    return h("span", { class: "confirm" },
      asks ? h("span", { class: "problem" }, `Crystals are left: ${this.texts.faces[more.card].title} could still be bought. `) : null,
      h("button", { type: "button", class: "main", id: "buy", disabled: none || off || (asked !== null && cards.length !== asked), onclick: () => {
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
