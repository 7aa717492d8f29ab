// What a network and a search think of a question: the win probabilities, the network's answers, the search's moves with
// their lines; and of a whole game, the moves by turns with what they cost.

import { ALL, html } from "./elements.js";
import { Chart } from "./chart.js";
import { linkTo } from "./steps.js";

export const HEADING = 0; // kind of a line of the log
const ANSWERS = [1, 4]; // kinds of lines that say what was chosen, openly or in secret
const LEAST = 5; // hundredths of glory, figures or places: less is not worth a word
const FIRST = 5; // of one's own mistakes are shown as lessons
const LEAST_LABEL = 70; // thousandths: a smaller part of the bar has no room for its number

const percent = (share) => `${(share / 10).toFixed(share < 100 ? 1 : 0)} %`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What a costly move gives away: win probability, or in a lost position places and glory.
function costText(texts, { cost, price }) {
  if (price === null) return percent(cost);
  const counted = [[price[0], "places"], [price[1], texts.study.gained]];
  return counted.filter(([amount]) => amount >= LEAST).map(([amount, name]) => `${(amount / 100).toFixed(1)} ${name}`).join(" and ");
}

/** Fill `node` with a bar of each clan's win probability, in thousandths; that of a player alone leaves the rest free. */
export function winBar(node, texts, wins) {
  const said = wins.map((share, seat) => `${texts.clans[seat]} ${percent(share)}`).join(", ");
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", `Win probability: ${said}`);
  node.title = said;
  node.className = "win-bar";
  const rest = html("span", {});
  rest.style.flexGrow = 1000 - wins[0];
  node.replaceChildren(...wins.map((share, seat) => {
    const part = html("span", { class: `wins-${seat}` }, share >= LEAST_LABEL ? `${texts.letters[seat]} ${Math.round(share / 10)}` : "");
    part.style.flexGrow = share;
    return part;
  }), ...(wins.length === 1 ? [rest] : []));
}

/** Elements about an analysis; `text` gives the words of its texts, `action` is what was chosen, if anything was. */
export function analysisParts(texts, analysis, text, action = null) {
  const chosen = (one) => (one === action ? " (chosen)" : "");
  const network = analysis.network.map(([one, share, label]) => {
    const bar = html("span", { class: "bar" });
    bar.style.width = `${share / 10}%`;
    return html("li", { class: one === action ? "chosen" : "" }, bar,
      html("span", { class: "answer" }, `${capital(text(label))}${chosen(one)}`), html("span", { class: "percent" }, percent(share)));
  });
  const ahead = new Map((analysis.ahead ?? []).map(([one, ...expected]) => [one, expected.map((amount) => (amount / 100).toFixed(1))]));
  const lost = ahead.size > 0; // then what is expected says more than the chance to win
  const search = analysis.search.map(([one, visits, value, label, line]) =>
    html("tr", { class: one === action ? "chosen" : "" },
      html("td", {}, `${capital(text(label))}${chosen(one)}`, followed(texts, line.slice(1), text)),
      html("td", { class: "number" }, `${visits}`), ...(lost ? [0, 1].map((column) => html("td", { class: "number" }, ahead.get(one)?.[column] ?? "")) : [html("td", { class: "number" }, percent(value))])));
  return [
    ...(search.length ? [html("h3", {}, "Search"), html("p", { class: "label" }, searchLabel(texts, lost)), html("table", { class: "searched" },
      html("thead", {}, html("tr", {}, ["Move", "visits", ...(lost ? [texts.study.gained, "place"] : ["wins"])].map((name) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, search))] : []),
    ...(network.length ? [html("h3", {}, "Network"), html("p", { class: "label" }, "How likely it is to play each answer, without a search."), html("ol", { class: "shares" }, network)] : []),
  ];
}

// What the columns of a search are.
function searchLabel(texts, lost) {
  return lost ? `${capital(texts.study.gained)} and place: the means at the end of games that the network plays on.` : "Wins: the share won in the simulations that began with the move.";
}

function followed(texts, line, text) {
  if (!line.length) return null;
  const moves = line.map(([seat, words]) => html("span", {}, `${texts.clans[seat]}: ${text(words)}`));
  return html("small", { class: "line" }, "then ", ...moves.flatMap((move, i) => (i ? [" · ", move] : [move])));
}

/** Of a replay: the analysis of each question, the moves by turns and the win probabilities over time. */
export class StudyPanel {
  /** `player` has data, `jump(step)`, `rows(step)`, what was logged there as [kind, text], and `asked(step)`, a seat; `study` is as `render/study_data.py` makes it. Mistakes of the seat `own` come first; `retry(step, button)` begins a puzzle of one. */
  constructor(player, study, own = null, retry = null) {
    Object.assign(this, { player, study, own, retry, shows: "log" });
    this.text = (number) => study.strings[number];
    const costly = this.costly().map((step) => [step, "costly", this.said(step)]);
    const percents = study.course.map((shares) => shares.map((share) => share / 10));
    const { moments, texts } = player.data;
    for (const id of ["win-bar", "tabs", "other-chart", "costly"]) this.find(id).hidden = false;
    document.body.classList.add("studied");
    for (const tab of this.find("tabs").children) tab.addEventListener("click", () => this.choose(tab.dataset.shows));
    this.find("other-chart").addEventListener("click", () => this.swap());
    this.find("costly-back").addEventListener("click", () => this.jumpCostly(-1));
    this.find("costly-forward").addEventListener("click", () => this.jumpCostly(1));
    this.swap();
    this.chart = new Chart(this.find("course"), percents, [...moments, ...costly], texts, (step) => player.jump(step));
    this.fillMoves();
    this.fillMistakes();
    this.choose(own !== null && this.costly().length ? "mistakes" : "analysis");
  }

  find(id) {
    return document.getElementById(id);
  }

  costly() {
    return this.study.decisions.flatMap((decision, step) => (decision?.costly ? [step] : []));
  }

  said(step) {
    const { texts } = this.player.data;
    const decision = this.study.decisions[step];
    return `${texts.clans[decision.seat]}: ${this.text(decision.text)} costs ${costText(texts, decision)}, better: ${this.text(decision.better)}`;
  }

  // What the better move has more of at a moment that is the same for both; if nothing for certain, what follows it.
  because(step) {
    const decision = this.study.decisions[step];
    const { texts } = this.player.data;
    const { gained, fallen, fewer, until } = texts.study;
    const lost = decision.price === null ? "" : `The game is hardly to be won from here; at its end the better move is ahead by ${costText(texts, decision)}. `;
    const [glory, figures, late] = decision.missed ?? [0, 0, false];
    const parts = [[glory, "less", gained], [figures, fewer, fallen]].filter(([amount]) => Math.abs(amount) >= LEAST)
      .map(([amount, less, noun]) => `${(Math.abs(amount) / 100).toFixed(1)} ${amount > 0 ? "more" : less} ${noun}`);
    const means = parts.length ? `${capital(late ? "by the end of the game" : until)} that means ${parts.join(" and ")}` : `No difference in ${gained} is certain`;
    if (lost || glory > 0 || figures < 0) return `${lost}${parts.length ? `${means}.` : ""}`;
    const line = (decision.search[0]?.[4] ?? []).slice(1).map(([seat, words]) => `${texts.clans[seat]}: ${this.text(words)}`);
    return `${means}; it pays later.${line.length ? ` Likely to follow: ${line.join(" · ")}.` : ""}`;
  }

  /** The costly moves, those of one's own first and the dearest of them first, each with why, and a way to try it again. */
  fillMistakes() {
    const { decisions } = this.study;
    const order = this.costly().filter((step) => this.mayKnow(decisions[step].seat))
      .sort((a, b) => (decisions[b].seat === this.own) - (decisions[a].seat === this.own) || this.dearer(b, a));
    const first = order.filter((step) => decisions[step].seat === this.own).slice(0, FIRST);
    const rest = order.filter((step) => !first.includes(step));
    const heading = (text, steps) => (steps.length && this.own !== null ? [html("h3", {}, text)] : []);
    const parts = [...heading("Your costliest decisions", first), ...first.map((step) => this.mistake(step)), ...heading("The other ones", rest), ...rest.map((step) => this.mistake(step))];
    this.find("mistakes").replaceChildren(...(parts.length ? parts : [html("p", { class: "label" }, "No move cost much.")]));
  }

  // Above 0 if the first one costs more: win probability before places, and these before glory.
  dearer(one, other) {
    const [first, second] = [one, other].map((step) => this.study.decisions[step]).map(({ cost, price }) => [price === null ? cost : 0, ...(price ?? [])]);
    return first.map((amount, i) => amount - (second[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
  }

  mistake(step) {
    const decision = this.study.decisions[step];
    const { seat, text, better } = decision;
    const link = html("a", { href: linkTo(step), "data-step": step }, `step ${step}`);
    link.addEventListener("click", () => this.player.jump(step));
    const name = this.player.data.texts.clans[seat];
    const again = this.retry ? html("button", { type: "button", class: "small", title: "A puzzle: find the better move, and see it played out" }, "Try it") : null;
    again?.addEventListener("click", () => this.retry(step, again));
    return html("div", { class: `turn edge-${seat}` }, html("p", {}, html("b", {}, `${name}${seat === this.own ? " (you)" : ""}`), ` (`, link, `): ${this.text(text)} `, html("b", { class: "cost" }, `−${costText(this.player.data.texts, decision)}`)),
      html("p", {}, `Better: ${this.text(better)}. ${this.because(step)}`), again);
  }

  jumpCostly(direction) {
    const { step } = this.player;
    const ahead = this.costly().filter((one) => (direction > 0 ? one > step : one < step));
    if (ahead.length) this.player.jump(direction > 0 ? ahead[0] : ahead[ahead.length - 1]);
  }

  choose(shows) {
    this.shows = shows;
    for (const tab of this.find("tabs").children) tab.setAttribute("aria-selected", tab.dataset.shows === shows);
    this.show();
  }

  swap() {
    const glory = !this.find("chart").hasAttribute("hidden");
    this.find("chart").toggleAttribute("hidden", glory);
    this.find("course").toggleAttribute("hidden", !glory);
    this.find("other-chart").textContent = glory ? this.player.data.texts.study.chart : "Win probability";
  }

  // What one seat thinks is shown to that seat and to who sees all hands.
  mayKnow(seat) {
    return this.player.viewer === ALL || this.player.viewer === seat;
  }

  show() {
    const { step, viewer, data } = this.player;
    const decision = this.study.decisions[step] ?? null;
    const known = decision !== null && this.mayKnow(decision.seat);
    for (const id of ["log", "moves", "analysis", "mistakes"]) this.find(id).hidden = this.shows !== id;
    document.body.classList.toggle("shows-sheets", this.shows === "sheets"); // which are a tab where the screen is low
    const wins = viewer === ALL ? this.study.course[step] : known ? decision.wins : null;
    this.find("win-bar").hidden = wins === null;
    if (wins) winBar(this.find("win-bar"), data.texts, wins);
    this.find("analysis").replaceChildren(...(known ? this.parts(step, decision) : [html("p", { class: "label" }, this.nothing(decision))]));
    for (const link of this.find("moves").querySelectorAll("a")) {
      const now = Number(link.dataset.step) === step;
      link.toggleAttribute("aria-current", now);
      if (now && this.shows === "moves") link.scrollIntoView({ block: "nearest" });
    }
    this.chart.at(step);
  }

  nothing(decision) {
    if (decision !== null) return "What the seat that is asked thinks is not for these eyes.";
    return this.player.step === this.player.last ? "The game ends here." : "There was one answer.";
  }

  parts(step, decision) {
    const cost = decision.costly ? [html("p", { class: "cost" }, capital(this.said(step))), html("p", { class: "label" }, "Cost: both moves in the same redeals, which the network plays on.")] : [];
    const bar = this.player.viewer === ALL ? "The bar: each clan's win probability at its own last choice, scaled to 100 %." : "The bar: win probability after the first move, by the search.";
    return [...cost, html("p", { class: "label" }, bar), ...analysisParts(this.player.data.texts, decision, this.text, decision.action)];
  }

  /** The moves that the viewer sees, a paragraph for each turn. */
  fillMoves() {
    const { data } = this.player;
    const shown = [];
    let turn = null;
    let mover = null;
    for (let after = 0; after <= this.player.last; after += 1) {
      const rows = this.player.rows(after);
      const step = after - 1;
      const words = after > 0 ? this.words(step, rows) : null;
      if (words !== null) {
        const seat = this.player.asked(step);
        const name = data.texts.clans[seat];
        if (turn === null || seat !== mover) {
          turn = html("p", { class: `turn edge-${seat}` }, html("b", {}, name), " ");
          mover = seat;
          shown.push(turn);
        }
        turn.append(...this.link(step, words.replace(`${name}: `, "")));
      }
      for (const [kind, text] of rows) {
        if (kind !== HEADING) continue;
        shown.push(html("h3", {}, text));
        turn = null;
      }
    }
    this.find("moves").replaceChildren(...shown);
  }

  // What was chosen, as the viewer sees it: null where it was not. The log leaves out that somebody did nothing.
  words(step, rows) {
    const answer = rows.find(([kind]) => ANSWERS.includes(kind));
    if (answer) return answer[1];
    const decision = this.study.decisions[step];
    return decision !== null && this.mayKnow(decision.seat) ? this.text(decision.text) : null;
  }

  link(step, words) {
    const decision = this.study.decisions[step];
    const marked = decision?.costly && this.mayKnow(decision.seat);
    const link = html("a", { href: linkTo(step), "data-step": step, class: marked ? "costly" : "" }, words);
    link.addEventListener("click", () => this.player.jump(step));
    const said = marked ? html("small", { class: "cost" }, ` −${costText(this.player.data.texts, decision)}; better: ${this.text(decision.better)}`) : null;
    return [link, ...(said ? [said] : []), " "];
  }
}
