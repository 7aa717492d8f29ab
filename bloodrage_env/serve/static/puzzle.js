// A puzzle at a table: what is asked, the grade of the answer, and the better line on the board.

import { byId, capital, gameHere, h, rememberSolved, withClans } from "./dom.js";

const RETRY = 1000; // milliseconds until an answer that was not graded is sent to be graded again
const CLOSE = 50; // thousandths of the win probability: what costs less is a small mistake

const percent = (thousandths) => `${(thousandths / 10).toFixed(thousandths < 100 ? 1 : 0)} %`;

export class Puzzle {
  /** `act(way)` does one of what the server knows: grade, again, show or leave. */
  constructor(texts, act) {
    Object.assign(this, { texts, act, asks: false, waits: false });
    this.panel = h("section", { id: "puzzle", "aria-label": "Puzzle", "aria-live": "polite", hidden: true });
    byId("question").before(this.panel);
  }

  /** Show the puzzle of a view, if it has one, and have a new answer graded. */
  show({ puzzle }) {
    this.waits = Boolean(puzzle?.answered && !puzzle.grade);
    this.panel.hidden = !puzzle;
    document.body.classList.toggle("puzzled", Boolean(puzzle));
    if (!puzzle) return;
    const { grade, number } = puzzle;
    this.ask();
    if (grade?.solved && number !== null) rememberSolved(gameHere(), number);
    this.panel.replaceChildren(h("h2", {}, puzzle.title), ...this.words(puzzle), this.ways(puzzle));
  }

  // After the answer is taken in: until then the page sends nothing else, and news may come first. Again where that failed.
  async ask() {
    if (this.asks) return;
    this.asks = true;
    for (let pause = 0; this.waits; pause = RETRY) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.waits) await this.act("grade");
    }
    this.asks = false;
  }

  words({ answered, shown, grade, agents }) {
    if (!answered) return [h("p", {}, "What would you play? Answer as in a game; the answer is graded against the search.")];
    if (!grade) return [h("p", {}, "The answer is being graded ...")];
    const names = Object.keys(agents).filter((name) => agents[name]);
    const solvers = Object.keys(agents).length ? [h("p", { class: "faint" }, `${names.length} of ${Object.keys(agents).length} agents solve it: ${names.join(", ")}.`)] : [];
    const line = grade.line.map(([seat, text]) => `${this.texts.clans[seat]}: ${text}`).join(" · ");
    return [
      h("p", {}, h("b", { class: grade.solved ? "solved" : "cost" }, this.verdict(grade)), " ", withClans(this.told(grade), this.texts)),
      h("p", { class: "faint" }, withClans(`${shown ? "On the board" : "The better line"}: ${line}.`, this.texts)), ...solvers,
    ];
  }

  verdict({ solved, cost, price }) {
    if (solved) return "Solved.";
    return price === null && cost < CLOSE ? "Close." : "Not yet.";
  }

  told({ text, best, is_best: isBest, solved, cost, price }) {
    if (isBest) return `${capital(text)} is what the search plays.`;
    if (solved) return `${capital(text)} is as good as ${best}, as far as the games played on can tell.`;
    const lost = price === null ? `${percent(cost)} of the win probability` : `${(price[0] / 100).toFixed(1)} places and ${(price[1] / 100).toFixed(1)} ${this.texts.study.gained} by the end of the game`;
    return `${capital(text)} costs ${lost}. Better: ${best}.`;
  }

  ways({ answered, grade }) {
    const way = (name, text, kind = "") => h("button", { type: "button", id: `puzzle-${name}`, class: kind, onclick: () => this.act(name) }, text);
    const own = location.pathname.replace(/play$/, "puzzles");
    return h("p", { class: "row" },
      grade ? way("show", "Play out the better line", "main") : null,
      answered ? way("again", "Try again") : null,
      grade ? way("leave", "Play on from here") : null, h("a", { href: own }, "All puzzles"));
  }
}
