// The open question: its choices as buttons, and the same choices as cells and cards that can be clicked. What was clicked so
// far is a filter {slot, cell, card, action}: a card and then its cell, or the same cell or card of a deal twice, is a choice.

import { capital, h, withClans } from "/static/dom.js";
import { Question } from "/static/question.js";

export class Chooser extends Question {
  fits(choice) {
    return Object.entries(this.filter).every(([name, value]) => choice[name] === value);
  }

  slotAt(cell) {
    return this.view.scene.cards.find((card) => card.cell === cell)?.slot;
  }

  pickCell(cell) {
    if (!this.ready) return;
    const { slot } = this.filter;
    const [move] = this.choices.filter((choice) => slot !== undefined && choice.slot === slot && choice.cell === cell);
    const [place] = this.choices.filter((choice) => choice.slot === null && choice.cell === cell);
    const own = this.slotAt(cell);
    if (move) this.answer(move.action);
    else if (place && this.filter.cell === cell) this.answer(place.action);
    else if (place) this.narrow({ cell });
    else if (own !== undefined) this.narrow(own === slot ? {} : { slot: own });
  }

  pickCard(card) {
    if (!this.ready) return;
    const [choice] = this.choices.filter((each) => each.card === card);
    if (choice && this.filter.card === card) this.answer(choice.action);
    else if (choice) this.narrow({ card });
  }

  draw() {
    const left = this.choices.filter((choice) => this.fits(choice));
    this.drawQuestion([...this.head(), ...this.groups(left)]);
    const { slot, cell } = this.filter;
    const moves = slot === undefined ? [] : left;
    const cells = this.view.scene.cards.filter((card) => this.choices.some((choice) => choice.slot === card.slot)).map((card) => card.cell);
    const places = this.choices.filter((choice) => choice.slot === null);
    const open = [...cells, ...[...moves, ...places].map((choice) => choice.cell).filter((each) => each !== null)];
    const picked = this.view.scene.cards.filter((card) => card.slot === slot).map((card) => card.cell);
    this.board.light(new Set(open), new Set(cell === undefined ? picked : [cell]));
  }

  head() {
    if (!Object.keys(this.filter).length) return [];
    const { slot, cell, card, action } = this.filter;
    const names = [
      action === undefined ? null : "sure?",
      slot === undefined ? null : this.nameOf(slot),
      cell === undefined ? null : this.texts.cells[cell],
      card === undefined ? null : this.texts.faces[card].title,
    ].filter(Boolean);
    return [h("p", { class: "filter" }, capital(names.join(", ")), " ",
      h("button", { type: "button", class: "small", onclick: () => this.narrow({}) }, "show all choices"))];
  }

  nameOf(slot) {
    const { card, name } = this.view.scene.cards.find((each) => each.slot === slot);
    return `${this.texts.faces[card].title} (${name})`;
  }

  // What one card can do stands together.
  groups(left) {
    const slots = [...new Set(left.map((choice) => choice.slot))];
    return slots.flatMap((slot) => {
      const members = left.filter((choice) => choice.slot === slot);
      if (slot === null) return members.map((choice) => this.button(choice, capital(choice.text), "wide"));
      return [h("div", { class: "choice-group", role: "group", "aria-label": this.nameOf(slot) }, h("p", {}, this.nameOf(slot)),
        members.map((choice) => this.button(choice, capital(choice.target), "")))];
    });
  }

  button(choice, text, more) {
    const passing = choice.name === "DONE" && this.choices.some(({ slot, cell }) => slot !== null && cell === null);
    const sure = !passing || this.filter.action === choice.action;
    const said = passing && sure ? "Pass, though cards of yours can still act" : text;
    const act = () => (sure ? this.answer(choice.action) : this.narrow({ action: choice.action }));
    const button = h("button", { type: "button", class: `choice ${more} ${passing ? "pass" : ""}`, "data-action": choice.action,
      "data-card": choice.card, onclick: act },
      withClans(said, this.texts), choice.facts ? h("small", { class: "outlook" }, choice.facts) : null);
    const cell = choice.cell ?? this.view.scene.cards.find((card) => card.slot === choice.slot)?.cell;
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => this.board.point(cell));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.board.point(null));
    return button;
  }
}
