// The open question: its choices as buttons, and the same choices as places, figures and cards that can be clicked.
// What was clicked so far is a filter {kind, card, place, action}. A choice is made by its button, by a second click on
// the same thing, or by the two clicks that a move takes: a figure and its place, a march's origin and its end.

import { counted } from "../render/elements.js";
import { icon } from "../board/sheets.js";
import { byId, capital, h, withClans } from "../static/dom.js";
import { Question } from "../static/question.js";
import { tile } from "../static/tiles.js";
import { watched, watches } from "../static/watch.js";

export class Chooser extends Question {
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

  marks() {
    const [choice] = this.choices;
    if (!choice) return [];
    const { card, kind, place, origin } = choice;
    const first = kind !== null && this.filter.kind === undefined ? `#reserve [data-kind="${kind}"]`
      : origin !== null && this.filter.place !== origin ? `#board #place-${origin}` : place === null ? "" : `#board #place-${place}`;
    return [...super.marks(), first, card === null ? "" : `:is(#hand, #stage) .tile[data-card="${card}"]`];
  }

  draw() {
    const left = this.choices.filter((choice) => this.fits(choice));
    this.drawQuestion([...this.head(left), ...this.groups(left)]);
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
      const alone = members.length === 1 && (members[0].target === null || (members[0].kind === null && members[0].origin === null));
      if (alone) return this.button(members[0], capital(members[0].text), "wide");
      const [first] = members;
      const figure = first.kind !== null ? icon(this.texts, this.view.seat, first.kind, 26, null, this.view.scene.clans[this.view.seat]) : null;
      return this.group(group, [figure, capital(group)],
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
    button.addEventListener("mouseenter", () => this.point(choice));
    button.addEventListener("focus", () => button.matches(":focus-visible") && this.point(choice)); // not where the page puts the focus after a click
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => this.point(null));
    return button;
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
    const [, paid] = this.choices.find((choice) => choice.card === card && choice.group === "play")?.target.match(/ for (free|\d+)/) ?? [];
    const picked = this.filter.card === card;
    return tile(this.texts, card, {
      pick: can ? () => this.pick({ card }) : null,
      mark,
      paid: paid === undefined ? null : paid === "free" ? 0 : Number(paid),
      more: `${can ? "can" : this.choices.some((choice) => choice.card !== null) ? "cannot" : ""} ${picked ? "picked" : ""}`,
    });
  }

  drawHand() {
    if (watches(this.view)) {
      byId("hand").replaceChildren(h("p", { class: "faint" }, watched(this.view)));
      return;
    }
    const own = privateCards(this.view);
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
      const name = `${counted(count, this.texts.kinds[kind])} in your ${dead ? "Valhalla" : "reserve"}${can ? "; choose to invade" : ""}`;
      return [h("button", { type: "button", class: `figure-button ${can ? "can" : ""} ${this.filter.kind === kind ? "picked" : ""}`,
        disabled: !can, "aria-label": name, title: name, "data-kind": kind, onclick: () => this.pick({ kind }) },
        icon(this.texts, seat, kind, 36, null, scene.clans[seat]), h("span", {}, `×${count}`))];
    });
    byId("reserve").replaceChildren(h("h3", {}, dead ? "Your Valhalla" : "Your reserve"),
      h("div", { class: "figure-buttons" }, figures.length ? figures : h("p", { class: "faint" }, "empty")));
  }
}

/**
 * The cards that only this seat sees, with what it has chosen while others still choose. Where the choice ends with its answer,
 * the server shows the table as it was before: the card is still where it came from.
 */
export function privateCards({ scene, seat, given }) {
  const own = scene.clans[seat].private;
  const last = given.at(-1)?.card ?? null;
  if (last === null || own.chosen.length >= given.length) return own;
  const place = scene.question?.decision === "DRAFT" ? -1 : own.hand.indexOf(last);
  return { ...own, hand: own.hand.filter((_, number) => number !== place), chosen: [...own.chosen, last] };
}

function grouped(choices) {
  const groups = new Map();
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
  return groups;
}
