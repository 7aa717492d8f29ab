// The open question: its choices as buttons, and the same choices as places, figures and cards that can be clicked.
// What was clicked so far is a filter {kind, card, place, action}. A choice is made by its button, by a second click on
// the same thing, or by the two clicks that a move takes: a figure and its place, a march's origin and its end.

import { icon } from "/board/sheets.js";
import { byId, capital, h, withClans } from "./dom.js";
import { fitTiles, tile } from "./tiles.js";
import { watches } from "./watch.js";

const SETTLE = 400; // milliseconds after a new question in which clicks are meant for the one before
const KEYS = 9; // the first choices have keys, 1 to 9

export class Chooser {
  /**
   * `actions` are `answer(action)`, `undo(number)` and `end()`, called with what was chosen, `controls()`, what who watches is given
   * instead, and `drawn()`, called when
   * the question has begun to take input, or what is picked has changed.
   */
  constructor(texts, board, actions) {
    Object.assign(this, { texts, board, actions, view: null, filter: {}, number: null, ready: false });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && Object.keys(this.filter).length) this.narrow({});
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !byId("dialog").open;
      if (plain && /^[1-9]$/.test(event.key)) document.querySelectorAll("#choices .choice")[event.key - 1]?.click();
    });
  }

  get choices() {
    return this.view.question?.choices ?? [];
  }

  show(view) {
    this.view = view;
    const number = view.question?.number ?? (view.turn.held === view.seat ? `end ${view.turn.number}` : null);
    if (number !== this.number) {
      this.filter = {};
      this.ready = false;
      clearTimeout(this.settling);
      this.settling = setTimeout(() => {
        this.ready = true;
        this.actions.drawn();
      }, SETTLE);
    }
    this.number = number;
    this.draw();
  }

  narrow(filter) {
    this.filter = filter;
    this.draw();
    this.actions.drawn();
  }

  answer(action) {
    if (this.ready) this.actions.answer(action);
  }

  fits(choice, filter = this.filter) {
    const { kind, card, place, action } = filter;
    return (kind === undefined || choice.kind === kind) && (card === undefined || choice.card === card)
      && (action === undefined || choice.action === action)
      && (place === undefined || choice.place === place || choice.origin === place);
  }

  // Narrow by a click on a card, a figure of the reserve or a place.
  pick(more) {
    if (!this.ready) return;
    const [[name, value]] = Object.entries(more);
    const again = this.filter[name] === value;
    const move = again ? [] : this.moves(name, value);
    const left = move.length ? move : this.choices.filter((choice) => this.fits(choice, more));
    if (left.length === 1 && (again || move.length)) this.answer(left[0].action);
    else if (left.length) {
      this.narrow(again ? {} : move.length ? { ...this.filter, ...more } : more);
      byId("choices").querySelector("button.choice")?.focus({ preventScroll: true });
    }
  }

  // The choices of which this click says the second half.
  moves(name, value) {
    const { kind, place } = this.filter;
    if (name === "place" && kind !== undefined) return this.choices.filter((choice) => choice.kind === kind && choice.place === value);
    if (name === "kind" && place !== undefined) return this.choices.filter((choice) => choice.kind === value && choice.place === place);
    if (name === "place" && place !== undefined) return this.choices.filter((choice) => choice.origin === place && choice.place === value);
    return [];
  }

  draw() {
    const { question, scene, turn, seat } = this.view;
    const panel = byId("choices");
    const inside = panel.contains(document.activeElement);
    const held = turn.held === seat;
    byId("question").classList.toggle("mine", Boolean(question) || held);
    byId("question").classList.toggle("waits", !question && !held && !scene.over);
    byId("whose").hidden = !question;
    const asked = held ? "Your turn is done" : turn.held === null ? scene.question?.text : `${this.texts.clans[turn.held]} ends the turn`;
    const text = scene.over ? scene.outcome : question ? question.text : asked;
    if (byId("question-text").textContent !== text) byId("question-text").replaceChildren(...withClans(text, this.texts));
    const left = this.choices.filter((choice) => this.fits(choice));
    panel.replaceChildren(...this.head(left), ...this.groups(left), ...this.foot(held));
    panel.querySelectorAll(".choice").forEach((button, number) => {
      if (number < KEYS) for (const name of ["data-key", "aria-keyshortcuts"]) button.setAttribute(name, `${number + 1}`);
    });
    if (inside) panel.querySelector("button.choice, button.main")?.focus({ preventScroll: true });
    this.light();
    this.drawHand();
    this.drawReserve();
  }

  head() {
    if (!Object.keys(this.filter).length) return [];
    const { kind, card, place, action } = this.filter;
    const names = [
      action === undefined ? null : "sure?",
      kind === undefined ? null : this.texts.kinds[kind],
      card === undefined ? null : this.texts.faces[card].title,
      place === undefined ? null : this.texts.geometry.places[place].name,
    ].filter(Boolean);
    return [h("p", { class: "filter" }, capital(names.join(", ")), " ",
      h("button", { type: "button", class: "small", onclick: () => this.narrow({}) }, "show all choices"))];
  }

  groups(left) {
    const groups = grouped(left);
    return [...groups].map(([group, members]) => {
      if (members.length === 1 && members[0].target === null) return this.button(members[0], capital(members[0].text), "wide");
      const [first] = members;
      const figure = first.kind !== null ? icon(this.view.seat, first.kind, 20) : null;
      return h("div", { class: "choice-group", role: "group", "aria-label": group }, h("p", {}, figure, capital(group)),
        members.map((choice) => this.button(choice, capital(choice.target ?? choice.text), "")));
    });
  }

  button(choice, text, more) {
    const passing = this.view.scene.question.decision === "ACTION" && choice.name === "PASS";
    const sure = !passing || this.filter.action === choice.action;
    const rage = this.view.scene.clans[this.view.seat].rage;
    const said = passing && sure ? `Pass for this Age and lose ${rage} Rage` : text;
    const act = () => (sure ? this.answer(choice.action) : this.narrow({ action: choice.action }));
    const button = h("button", { type: "button", class: `choice ${more} ${passing ? "pass" : ""}`, "data-action": choice.action,
      "data-card": choice.card, title: choice.card === null ? null : this.texts.faces[choice.card].text, onclick: act },
      withClans(said, this.texts), choice.outlook ? h("small", { class: "outlook" }, withClans(choice.outlook, this.texts)) : null);
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => this.point(choice));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.point(null));
    return button;
  }

  foot(held) {
    if (watches(this.view)) return this.view.scene.over ? [] : [this.actions.controls()];
    const { undo, revealed } = this.view.turn;
    const back = (id, text, to) => h("button", { type: "button", id, class: "wide undo", onclick: () => this.ready && this.actions.undo(to) }, text);
    return [
      held ? h("button", { type: "button", id: "end-turn", class: "main wide", onclick: () => this.ready && this.actions.end() }, "End turn") : null,
      undo.length ? back("undo", "↶ Take back my last choice", undo[undo.length - 1]) : null,
      undo.length > 1 ? back("undo-all", "↶ Take back the whole turn", undo[0]) : null,
      revealed ? h("p", { class: "faint" }, "Something hidden was revealed: what you chose before that can't be taken back.") : null,
    ].filter(Boolean);
  }

  // Show on the board and in the hand what a button is about.
  point(choice) {
    for (const node of document.querySelectorAll(".pointed")) node.classList.remove("pointed");
    if (!choice) return;
    for (const place of [choice.place, choice.origin]) if (place !== null) this.board.lands[place].classList.add("pointed");
    if (choice.card !== null) document.querySelector(`#hand .tile[data-card="${choice.card}"]`)?.classList.add("pointed");
  }

  light() {
    const open = new Set();
    const candidates = this.choices.filter((choice) => this.fits(choice, { kind: this.filter.kind }));
    for (const choice of candidates) {
      if (choice.place !== null) open.add(choice.place);
      if (choice.origin !== null) open.add(choice.origin);
    }
    this.board.light([...open].map((place) => ({ place })), ({ place }) => this.pick({ place }));
    this.board.lands.forEach((land, place) => land.classList.toggle("picked", place === this.filter.place));
    this.board.root.classList.toggle("choosing", open.size > 0);
  }

  // A tile that can be chosen, if some choice is about this card, else one that can't.
  tileOf(card, mark = null) {
    const can = this.choices.some((choice) => choice.card === card);
    const picked = this.filter.card === card;
    return tile(this.texts, card, {
      pick: can ? () => this.pick({ card }) : null,
      mark,
      more: `${can ? "can" : this.choices.some((choice) => choice.card !== null) ? "cannot" : ""} ${picked ? "picked" : ""}`,
    });
  }

  drawHand() {
    if (watches(this.view)) {
      byId("hand").replaceChildren(h("p", { class: "faint" }, "You watch agents play, and see all their cards."));
      return;
    }
    const own = this.view.scene.clans[this.view.seat].private;
    const drafting = this.view.scene.question?.decision === "DRAFT";
    const part = (name, label, cards) => cards.length ? h("div", { class: `part ${name}` }, h("h3", {}, label), h("div", { class: "tiles" }, cards)) : null;
    const { hand: held, committed } = this.view.quests;
    const hand = own.hand.map((card) => (drafting ? tile(this.texts, card, { mark: held[card] }) : this.tileOf(card, held[card])));
    byId("hand").replaceChildren(...[
      part("in-hand", "Your hand", hand),
      part("quests", "Your quests", own.quests.map((card) => tile(this.texts, card, { more: "committed", label: "committed", mark: committed[card] }))),
      part("chosen", "Your choice", own.chosen.map((card) => tile(this.texts, card, { more: "chosen", label: "your choice" }))),
    ].filter(Boolean));
    if (!byId("hand").children.length) byId("hand").append(h("p", { class: "faint" }, "Your hand is empty."));
    fitTiles(byId("hand"));
  }

  drawReserve() {
    byId("reserve").hidden = watches(this.view);
    if (watches(this.view)) return;
    const { seat, scene } = this.view;
    const acting = ["ACTION", "FREE_INVADE", "RAISE_DEAD"].includes(scene.question?.decision);
    const dead = scene.question?.decision === "RAISE_DEAD";
    const counts = dead ? scene.clans[seat].valhalla : scene.clans[seat].reserve;
    const figures = counts.flatMap((count, kind) => {
      if (!count) return [];
      const can = acting && this.choices.some((choice) => choice.kind === kind);
      const name = `${count} ${this.texts.kinds[kind]} in your ${dead ? "Valhalla" : "reserve"}${can ? "; choose to invade" : ""}`;
      return [h("button", { type: "button", class: `figure-button ${can ? "can" : ""} ${this.filter.kind === kind ? "picked" : ""}`,
        disabled: !can, "aria-label": name, title: name, "data-kind": kind, onclick: () => this.pick({ kind }) },
        icon(seat, kind, 34), h("span", {}, `×${count}`))];
    });
    byId("reserve").replaceChildren(h("h3", {}, dead ? "Your Valhalla" : "Your reserve"),
      h("div", { class: "figure-buttons" }, figures.length ? figures : h("p", { class: "faint" }, "empty")));
  }
}

function grouped(choices) {
  const groups = new Map();
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
  return groups;
}
