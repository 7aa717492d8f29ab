// Hints: what an analyst thinks of the question that is open, asked for by a button or, if that is set, each time.

import { analysisParts, isLost, winBar } from "../render/study.js";
import { byId, capital, h, withClans } from "./dom.js";
import { setting } from "./settings.js";

const ARROWS = 3; // moves that are shown on the board
const CERTAIN = 2; // standard errors by which moves must differ
const KINDS = 3; // of a gain, in a sentence
const LEAST = 10; // hundredths: less is not worth a word

const percent = (thousandths) => `${Math.round(thousandths / 10)} %`;
const points = (hundredths) => (hundredths / 100).toFixed(1);

/** Whether two moves of a search are level: what they win differs by less than two standard errors. */
export function areLevel([, visits, value], [, others, other]) {
  const spread = (share, count) => (share / 1000) * (1 - share / 1000) / Math.max(1, count);
  return Math.abs(value - other) / 1000 <= CERTAIN * Math.sqrt(spread(value, visits) + spread(other, others));
}

// The kinds of a gain that are worth a word, the largest first.
function kinds(said, parts, sign = (amount) => points(amount)) {
  const named = parts.map((amount, kind) => ({ amount, text: said.parts[kind].replace("#", sign(amount)) }));
  return named.filter(({ amount }) => Math.abs(amount) >= LEAST).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)).slice(0, KINDS).map(({ text }) => text);
}

const signed = (amount) => `${amount > 0 ? "+" : "\u2212"}${points(Math.abs(amount))}`;
const sentence = (words) => ` ${capital(words)}.`;

// By the search: what a move wins, and whether the next one wins as much. In a lost position the place, of games played on.
function outcome(texts, search, [, , , place] = []) {
  const [best, next] = search;
  if (isLost(search)) return `The game is hardly to be won from here${place === undefined ? "" : `: ${texts.study.until} your place is ${points(place)} on average`}.`;
  const wins = `The search wins ${percent(best[2])} of ${best[1]} simulations`;
  if (!next) return `${wins}.`;
  if (areLevel(best, next)) return `${wins}. ${capital(next[3])} is level with it (${percent(next[2])} of ${next[1]}): either will do.`;
  return `${wins}, after ${next[3]} ${percent(next[2])} of ${next[1]}.`;
}

// By games that the network plays on: what a move brings and costs, and what of it another one would not.
function consequences(said, next, row, { deals, edge }) {
  if (!row) return "";
  const [, gained, lost, , parts] = row;
  const from = kinds(said, parts);
  const brings = Math.abs(gained) >= LEAST ? `${said.brings.replace("#", points(gained))}${from.length ? ` (${from.join(", ")})` : ""}` : "";
  const told = [brings, lost >= LEAST ? said.loses.replace("#", points(lost)) : ""].filter(Boolean);
  const so = told.length ? sentence(`${said.until}, in ${deals} games played on, ${told.join(", and ")}`) : "";
  const [score, fallen, more] = edge ?? [0, 0, []];
  const than = [score ? `${signed(score)} ${said.gained}` : "", ...kinds(said, more, signed), fallen ? `${signed(fallen)} ${said.fallen}` : ""].filter(Boolean);
  return than.length ? `${so}${sentence(`against ${next[3]}: ${than.join(", ")}`)}` : so;
}

/** Why a move is the best one, in a few sentences: what it wins, what it brings and costs and from what, and what is likeliest to follow. */
export function why(texts, { seat, search, ahead, ...played }) {
  if (!search.length) return [];
  const [[action, , , label, line], next] = search;
  const row = ahead.find(([each]) => each === action);
  const answer = line.find(([who]) => who !== seat);
  const said = `${outcome(texts, search, row)}${consequences(texts.study, next, row, played)}${answer ? ` The likeliest answer: ${texts.clans[answer[0]]}: ${answer[1]}.` : ""}`;
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
      const bar = h("div", {});
      winBar(bar, this.texts, this.answer.wins);
      panel.replaceChildren(bar, h("p", { class: "why" }, why(this.texts, this.answer)),
        h("details", { class: "analysis" }, h("summary", {}, "All moves that were tried"), h("p", { class: "label" }, "The bar: win probability after the first move, by the search."), analysisParts(this.texts, this.shown(), (text) => text)));
    }
    this.light();
  }

  // The answer with one estimate of each move: what it wins, or in a lost position what it brings.
  shown() {
    return isLost(this.answer.search) ? this.answer : { ...this.answer, ahead: [] };
  }

  /** The moves of the answer as arrows: [{choice, label}], the best one first. */
  moves() {
    if (!this.answer || byId("hint").hidden) return [];
    const { search, ahead } = this.answer;
    const label = (action, value) => (isLost(search) ? `+${points(ahead.find(([each]) => each === action)?.[1] ?? 0)}` : percent(value));
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
