// The open question: its choices as buttons, and the same choices as cells and cards that can be clicked. What was clicked so
// far is a filter {slot, cell, action}: a card and then its cell, or the same cell twice, is a choice. A squad is bought in recruit.js.

import { capital, h, withClans } from "../static/dom.js";
import { Question } from "../static/question.js";
import { tile } from "./cards.js";

export class Chooser extends Question {
  fits(choice) {
    return Object.entries(this.filter).every(([name, value]) => choice[name] === value);
  }

  leave() {
    super.leave();
    this.aimed = null;
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
    const strike = own !== undefined && this.strikeAt(cell);
    if (move) this.answer(move.action);
    else if (strike) {
      this.aimed = cell; // the question for the target is next
      this.answer(strike.action);
    }
    else if (place && this.filter.cell === cell) this.answer(place.action);
    else if (place) this.narrow({ cell });
    else if (own !== undefined) this.narrow(own === slot ? {} : { slot: own });
  }

  // The simple strike of the picked card, if an enemy is on this adjacent cell; a flyer strikes at any enemy.
  strikeAt(cell) {
    const { cards } = this.view.scene;
    const [from, to] = [cards.find(({ slot }) => slot === this.filter.slot), cards.find((card) => card.cell === cell)];
    const { columns, teams, cells: { length } } = this.texts;
    if (!from || !to || (to.seat - from.seat) % teams === 0 || (from.cell < length && cell >= length)) return undefined;
    const far = Math.max(Math.abs((from.cell % columns) - (cell % columns)), Math.abs(Math.floor(from.cell / columns) - Math.floor(cell / columns)));
    return far === 1 || from.cell >= length ? this.choices.find((choice) => choice.slot === from.slot && choice.cell === null && choice.target?.startsWith("simple strike")) : undefined;
  }

  // A strike that was aimed by clicks asks for its target: it is the one that was clicked.
  aim() {
    const place = this.choices.find((choice) => choice.slot === null && choice.cell === this.aimed);
    this.aimed = null;
    if (place) this.answer(place.action);
  }

  marks() {
    const [choice] = this.choices;
    if (!choice) return [];
    const { slot, cell } = choice;
    const first = slot !== null && this.filter.slot !== slot ? this.view.scene.cards.find((card) => card.slot === slot)?.cell : cell;
    return [...super.marks(), first === undefined || first === null ? "" : `#field [data-cell="${first}"]`];
  }

  draw() {
    const left = this.choices.filter((choice) => this.fits(choice));
    const buys = this.choices.some(({ card }) => card !== null);
    this.drawQuestion([...this.context(), ...this.head(), ...(buys ? [h("p", { class: "faint" }, "Tick cards of your deal, and confirm them.")] : this.groups(left).filter(Boolean))]);
    const { slot, cell } = this.filter;
    const moves = slot === undefined ? [] : left;
    const cells = this.view.scene.cards.filter((card) => this.choices.some((choice) => choice.slot === card.slot)).map((card) => card.cell);
    const places = this.choices.filter((choice) => choice.slot === null);
    const struck = slot === undefined ? [] : this.view.scene.cards.filter(({ cell: at }) => this.strikeAt(at)).map(({ cell: at }) => at);
    const open = [...cells, ...struck, ...[...moves, ...places].map((choice) => choice.cell).filter((each) => each !== null)];
    const picked = this.view.scene.cards.filter((card) => card.slot === slot).map((card) => card.cell);
    this.board.light(new Set(open), new Set(cell === undefined ? picked : [cell]));
  }

  // The card that a question of the set-up is about.
  context() {
    const { scene, own, question, seat } = this.view;
    const { about } = scene;
    const card = own[seat]?.placing ?? (scene.phase === "reveal" ? scene.cards.find((each) => each.slot === about[0])?.card : null) ?? null;
    return [
      question && card !== null ? tile(this.texts, card, { more: "wide" }) : null,
    ].filter(Boolean);
  }

  head() {
    if (!Object.keys(this.filter).length) return [];
    const { slot, cell, action } = this.filter;
    const names = [
      action === undefined ? null : "sure?",
      slot === undefined ? null : this.nameOf(slot),
      cell === undefined ? null : (this.texts.cells[cell] ?? "the additional zone"),
    ].filter(Boolean);
    return [h("p", { class: "filter" }, capital(names.join(", ")), " ",
      h("button", { type: "button", class: "small", onclick: () => this.narrow({}) }, "show all choices"))];
  }

  nameOf(slot) {
    const { card, name } = this.view.scene.cards.find((each) => each.slot === slot);
    if (card === null) return `a face-down card (${name})`;
    return `${this.texts.faces[card].title} (${name})`;
  }

  // The actions of one card are grouped.
  groups(left) {
    const slots = [...new Set(left.map((choice) => choice.slot))];
    return slots.flatMap((slot) => {
      const members = left.filter((choice) => choice.slot === slot);
      const free = members.filter(({ text, cell: where }) => where !== null && text === this.texts.cells[where]); // cells that are empty
      if (slot === null) return [
        free.length ? this.group("Cells", ["On the board, or here:"],
          free.map((choice) => this.button(choice, choice.text, "cell"))) : null,
        ...members.filter((choice) => !free.includes(choice)).map((choice) => this.button(choice, capital(choice.text), "wide")),
      ];
      return [this.group(this.nameOf(slot), [this.nameOf(slot)],
        members.map((choice) => this.button(choice, capital(choice.target), "")))];
    });
  }

  button(choice, text, more) {
    const passing = choice.name === "DONE" && this.choices.some(({ slot, cell }) => slot !== null && cell === null);
    const sure = !passing || this.filter.action === choice.action;
    const said = passing && sure ? "Pass, though cards of yours can still act" : text;
    const act = () => (sure ? this.answer(choice.action) : this.narrow({ action: choice.action }));
    const button = h("button", { type: "button", class: `choice ${more} ${passing ? "pass" : choice.name === "DONE" ? "last" : ""}`, "data-action": choice.action,
      onclick: act },
      withClans(said, this.texts), choice.facts ? h("small", { class: "outlook" }, choice.facts) : null);
    const cell = choice.cell ?? this.view.scene.cards.find((card) => card.slot === choice.slot)?.cell;
    button.addEventListener("mouseenter", () => this.board.point(cell));
    button.addEventListener("focus", () => button.matches(":focus-visible") && this.board.point(cell)); // not where the page puts the focus after a click
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.board.point(null));
    return button;
  }
}
