// Hints: what an analyst thinks of the question that is open, asked for by a button or, if that is set, each time.

import { analysisParts, winBar } from "../render/study.js";
import { byId, capital, h, withClans } from "./dom.js";
import { setting } from "./settings.js";

const ARROWS = 3; // moves that are shown on the board
const CERTAIN = 2; // standard errors by which moves must differ

const percent = (thousandths) => `${Math.round(thousandths / 10)} %`;
const points = (hundredths) => (hundredths / 100).toFixed(1);

/** Whether two moves of a search are level: what they win differs by less than two standard errors. */
export function areLevel([, visits, value], [, others, other]) {
  const spread = (share, count) => (share / 1000) * (1 - share / 1000) / Math.max(1, count);
  return Math.abs(value - other) / 1000 <= CERTAIN * Math.sqrt(spread(value, visits) + spread(other, others));
}

// By the search: what a move wins, and what the next one costs against it. In a lost position what is to be expected.
function outcome(texts, search, ahead, deals) {
  const [best, next] = search;
  const share = ([, visits, value]) => `${percent(value)} of ${visits} simulations`;
  if (ahead.length) {
    const expected = ([, gained, place]) => `place ${points(place)} and ${points(gained)} more ${texts.study.gained}`;
    const other = next && ahead[1] ? `; after ${next[3]} ${expected(ahead[1])}` : "";
    return `The game is hardly to be won from here. Expected, the mean of ${deals} games that the network plays to the end: ${expected(ahead[0])}${other}.`;
  }
  if (!next) return `The search wins ${share(best)}.`;
  if (areLevel(best, next)) return `The search wins ${share(best)}. ${capital(next[3])} is level with it (${share(next)}): either will do.`;
  const less = best[2] - next[2];
  return `The search wins ${share(best)}. ${less > 0 ? `To ${next[3]} instead costs ${percent(less)}` : `It looked less at the next one, ${next[3]}`} (${share(next)}).`;
}

/** Why a move is the best one, in a few sentences: what the rules say of it, what it wins, and what is likeliest to follow. */
export function why(texts, { seat, search, ahead, deals, reasons }) {
  if (!search.length) return [];
  const [[, , , label, line]] = search;
  const answer = line.find(([who]) => who !== seat);
  const said = `${[...reasons, outcome(texts, search, ahead, deals)].join(" ")}${answer ? ` The likeliest answer: ${texts.clans[answer[0]]}: ${answer[1]}.` : ""}`;
  return [h("b", {}, `${capital(label)}. `), ...withClans(said, texts)];
}

export class Hint {
  /** `ask(seat)` asks the server for the seat's question; `failed(error)` is called with what went wrong, `lit()` when there is an answer. */
  constructor(texts, failed, lit) {
    Object.assign(this, { texts, failed, lit, seat: null, asked: null, answer: null });
  }

  /** Whether everybody at the table allows hints. */
  static allowed(view) {
    return view.players.every(({ agent }, seat) => agent !== null || view.hints.includes(seat));
  }

  /** Show it for the seat whose view is on the screen, or, with `shown` false, not. */
  draw(seat, shown) {
    const { question } = seat.view;
    if (seat !== this.seat || question?.number !== this.asked) Object.assign(this, { seat, asked: null, answer: null });
    const open = shown && Boolean(question) && Hint.allowed(seat.view);
    byId("hint").hidden = !open;
    if (open && this.asked === null && setting("hint") === "always") this.ask();
    else this.fill();
  }

  async ask() {
    const { seat } = this;
    const { number } = seat.view.question;
    this.asked = number;
    this.fill();
    try {
      const answer = await seat.hint(number);
      if (this.seat === seat && this.asked === number && answer.number === number) this.answer = answer;
    } catch (error) {
      if (this.seat === seat && this.asked === number) this.asked = null;
      if (error.status !== 409) this.failed(error);
    }
    this.fill();
  }

  fill() {
    const panel = byId("hint");
    if (!this.answer) {
      const waits = this.asked !== null;
      panel.replaceChildren(h("button", { type: "button", id: "ask-hint", class: "wide", disabled: waits, onclick: () => this.ask() },
        waits ? "Thinking ..." : "Hint"));
    } else {
      const lost = this.answer.ahead.length > 0;
      const bar = h("div", {});
      if (!lost) winBar(bar, this.texts, this.answer.wins);
      panel.replaceChildren(...(lost ? [] : [bar]), h("p", { class: "why" }, why(this.texts, this.answer)),
        h("details", { class: "analysis" }, h("summary", {}, "All moves that were tried"), lost ? null : h("p", { class: "label" }, "The bar: win probability after the first move, by the search."), analysisParts(this.texts, { ...this.answer, network: [] }, (text) => text)));
    }
    this.light();
  }

  /** The moves of the answer as arrows: [{choice, label}], the best one first. */
  moves() {
    if (!this.answer || byId("hint").hidden) return [];
    const { search, ahead } = this.answer;
    const places = new Map(ahead.map(([action, , place]) => [action, place]));
    const label = (action, value) => (ahead.length ? `place ${points(places.get(action) ?? 0)}` : percent(value));
    return search.slice(0, ARROWS).flatMap(([action, , value]) => {
      const choice = this.seat.view.question?.choices.find((each) => each.action === action);
      return choice ? [{ choice, label: label(action, value) }] : [];
    });
  }

  /** Mark the choice that the answer names, and its card. */
  light() {
    this.lit();
    for (const node of document.querySelectorAll(".hinted")) node.classList.remove("hinted");
    if (!this.answer) return;
    const { card } = this.seat.view.question?.choices.find(({ action }) => action === this.answer.best) ?? {};
    const marked = [`#choices [data-action="${this.answer.best}"]`, ...(card == null ? [] : [`.draft .tile[data-card="${card}"]`, `.recruit .tile[data-card="${card}"]`, `#hand .tile[data-card="${card}"]`])];
    for (const node of document.querySelectorAll(marked.join())) node.classList.add("hinted");
  }
}

/** A row of the settings: whether this person allows hints, and who does; `allow(allowed)` sends it. */
export function allowRow(texts, view, allow) {
  const people = view.players.flatMap(({ agent }, seat) => (agent === null ? [seat] : []));
  const box = h("input", { type: "checkbox", id: "allow-hints", onchange: () => allow(box.checked) });
  box.checked = view.hints.includes(view.seat);
  const others = people.filter((seat) => seat !== view.seat).map((seat) =>
    `${texts.clans[seat]} ${view.hints.includes(seat) ? "does" : "does not"}`);
  return h("p", { class: "row" }, h("label", { for: "allow-hints" }, "I allow hints at this table"), box,
    others.length ? h("span", { class: "faint" }, `they need everybody: ${others.join(", ")}`) : null);
}
