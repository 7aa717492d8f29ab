// A guided game: the texts to read, and the one answer that each question asks for.

import { byId, capital, gameHere, h, rememberFinished } from "./dom.js";
import { withTerms } from "./terms.js";

const HELD = { title: "Your turn is done", text: "You can still take back what you did. End turn lets the others go on.", mark: "#end-turn" };
const SEEN = { title: "Look at it, then continue", text: "This is what has just happened. Continue goes on.", mark: "#continue.main" };
const REST = { title: "The others play", text: "Watch the board. The log says what happens.", mark: "" };

export class Lesson {
  /** `redraw()` is called when another page is read, or the lesson is left. `texts.sign(name)` draws an icon of the board, in a game that has any. */
  constructor(texts, redraw) {
    Object.assign(this, { texts, redraw, key: "", page: 0, left: false, over: false, view: null, pages: [] });
    this.panel = h("section", { id: "lesson", "aria-label": "Lesson", hidden: true });
    byId("question").before(this.panel);
  }

  /** Whether the view on the screen is that of a lesson which the person has not left. */
  get goesOn() {
    return Boolean(this.view?.lesson) && !this.left;
  }

  /** The actions that the question takes: null for all, none while there is something to read first. */
  get only() {
    const actions = this.goesOn ? this.view.lesson.actions : null;
    if (!actions?.length) return null;
    return this.page === this.pages.length - 1 ? [actions[0]] : [];
  }

  /** Show a view; `scene` is the title of what lies over the board and waits for a click, null if nothing does. */
  show(view, scene) {
    this.view = view;
    const { lesson, turn, seat } = view;
    this.over = Boolean(lesson?.pages) && !lesson.actions.length && scene === null && turn.held !== seat;
    this.panel.hidden = !lesson || (this.left && this.over);
    document.body.classList.toggle("taught", this.goesOn);
    if (this.panel.hidden) return;
    const key = `${lesson.number} ${scene} ${turn.held === seat} ${lesson.pages === null}`;
    if (key !== this.key) this.page = this.panel.scrollTop = 0;
    this.key = key;
    this.pages = this.pagesOf(view, scene);
    if (this.over) rememberFinished(gameHere(), lesson.place);
    this.draw();
  }

  pagesOf({ lesson, turn, seat, players, scene: { question } }, scene) {
    if (scene !== null) return [Object.entries(lesson.scenes).find(([part]) => scene.includes(part))?.[1] ?? SEEN];
    if (turn.held === seat) return [lesson.scenes[question?.decision] ?? HELD];
    if (lesson.pages === null) return [players.length > 2 ? REST : { ...REST, title: "Your opponent plays" }];
    return lesson.pages.length ? lesson.pages : [{ title: "Go on", text: "Do what is marked.", mark: "" }];
  }

  draw() {
    const { step, steps } = this.view.lesson;
    const turn = (to) => () => {
      this.page = to;
      this.redraw();
      this.panel.scrollTop = 0;
      this.panel.querySelector("button.main")?.focus({ preventScroll: true });
    };
    if (this.left) {
      this.panel.replaceChildren(h("button", { type: "button", id: "lesson-return", class: "wide", onclick: () => this.leave(false) }, "Back to the lesson"));
      return;
    }
    const { title, text, icons = [] } = this.pages[this.page];
    const last = this.page === this.pages.length - 1;
    const inside = this.panel.contains(document.activeElement);
    this.panel.replaceChildren(
      h("header", {}, h("h2", {}, title), h("small", { class: "faint" }, `Step ${step} of ${steps}`)),
      h("progress", { max: steps, value: step, "aria-label": "How far the lesson is" }),
      h("div", { class: "lesson-text", "aria-live": "polite" }, text.split("\n").map((part) => h("p", {}, withTerms(part, this.texts))),
        icons.length ? h("ul", { class: "picture" }, icons.map(([name, words]) => h("li", {}, this.texts.sign(name), h("span", {}, words)))) : null),
      h("p", { class: "row" },
        this.page > 0 ? h("button", { type: "button", id: "lesson-back", onclick: turn(this.page - 1) }, "Back") : null,
        last ? null : h("button", { type: "button", id: "lesson-next", class: "main", onclick: turn(this.page + 1) }, "Next"),
        this.ways()));
    if (inside) this.panel.querySelector("#lesson-next, #lesson-back")?.focus({ preventScroll: true });
  }

  // What can be done instead of the lesson; at its end, what comes next.
  ways() {
    const { lesson, scene } = this.view;
    const leave = (text, more) => h("button", { type: "button", id: "lesson-leave", class: more, onclick: () => this.leave(true) }, text);
    if (!this.over || this.page < this.pages.length - 1) return leave("Play on without the lesson", "small");
    const next = lesson.place + 1 < this.texts.lessons.length;
    return [scene.over ? null : leave("Play on", next ? "" : "main"), h("a", { class: "button", href: "/" }, "New game"), h("a", { class: `button ${next ? "main" : ""}`, href: "learn" }, next ? "Next lesson" : "Rules")];
  }

  leave(left) {
    this.left = left;
    this.redraw();
    this.panel.querySelector("button")?.focus();
  }

  /** Mark what the page that is read is about, and what is to be clicked: `ways` are selectors. */
  light(ways) {
    for (const node of document.querySelectorAll(".shown-by-lesson")) node.classList.remove("shown-by-lesson");
    if (!this.goesOn) return;
    const { mark } = this.pages[this.page] ?? { mark: "" };
    const marked = [mark, ...(this.only?.length ? ways : [])].filter(Boolean);
    for (const node of marked.length ? document.querySelectorAll(marked.join()) : []) node.classList.add("shown-by-lesson");
  }

  /** What can be chosen at other times, below the choice that is asked for. */
  others(choices) {
    if (!this.only || choices.length < 2) return [];
    const others = choices.filter(({ action }) => action !== this.only[0]);
    const count = others.length === 1 ? "1 other choice" : `${others.length} other choices`;
    return [h("details", { class: "not-now" }, h("summary", {}, `${count}, not in this step`),
      h("ul", {}, others.map(({ text }) => h("li", {}, capital(text)))))];
  }
}
