// The open question and its choices, of whatever game: when it takes input, and what ends a turn or takes it back.

import { byId, capital, h, withClans } from "./dom.js";
import { explained } from "./terms.js";
import { watches } from "./watch.js";

const SETTLE = 400; // milliseconds after a new question in which clicks are meant for the one before
const KEYS = 9; // the first choices have keys, 1 to 9

/** What each game extends: it has `draw()`, which calls `drawQuestion`. What was clicked so far is `filter`. */
export class Question {
  /**
   * `actions` are `answer(action)`, `answers(actions)` for a row of them, `undo(number)`, `end()` and `comeBack(undo)`, called with what was chosen, `controls()`, what who watches is given
   * instead, and `drawn()`, called when
   * the question has begun to take input, or what is picked has changed, and `lesson`, a `Lesson`. `view.behind`: there is still something to look at that happened before.
   */
  constructor(texts, board, actions) {
    Object.assign(this, { texts, board, actions, view: null, filter: {}, number: null, ready: false, opened: null });
    document.addEventListener("keydown", (event) => {
      if (event.repeat && event.key === "Enter") event.preventDefault(); // a key that is held is meant for what was there before
      if (event.repeat || !byId("curtain").hidden) return; // behind the curtain are the choices of the person before
      if (event.key === "Escape" && Object.keys(this.filter).length) this.narrow({});
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !byId("dialog").open;
      if (plain && /^[1-9]$/.test(event.key)) document.querySelectorAll("#choices .choice")[event.key - 1]?.click();
    });
  }

  // All answers; in a lesson the one that it asks for.
  get choices() {
    const all = this.view.question?.choices ?? [];
    const { only } = this.actions.lesson;
    return only ? all.filter(({ action }) => only.includes(action)) : all;
  }

  /** Selectors of what can be clicked for the choice that a lesson asks for; a game adds its board and cards. */
  marks() {
    return this.choices.slice(0, 1).map(({ action }) => `#choices [data-action="${action}"]`);
  }

  show(view) {
    this.view = view;
    const number = view.question?.number ?? (view.turn.held === view.seat ? `end ${view.turn.number}` : view.given.length ? `given ${view.turn.number}` : null);
    if (number !== this.number) {
      this.filter = {};
      this.ready = false;
      this.fresh = true;
      this.opened = null;
      clearTimeout(this.settling);
      this.settling = setTimeout(() => {
        this.ready = true;
        this.actions.drawn();
      }, SETTLE);
    }
    this.number = number;
    this.draw();
  }

  /** Take no input until the next view is shown, that of another person: its question settles anew. */
  leave() {
    this.ready = false;
    this.number = undefined; // of no view
    clearTimeout(this.settling);
  }

  narrow(filter) {
    this.filter = filter;
    this.draw();
    this.actions.drawn();
  }

  answer(action) {
    if (!this.ready) return;
    this.answered = true;
    this.actions.answer(action);
  }

  // The text of the question, and buttons.
  drawQuestion(buttons) {
    const { question, scene, turn, seat, behind, waits } = this.view;
    const panel = byId("choices");
    const inside = panel.contains(document.activeElement);
    const held = turn.held === seat;
    byId("question").classList.toggle("mine", Boolean(question) || held);
    byId("question").classList.toggle("waits", !question && !held && !scene.over && !behind);
    byId("whose").hidden = !question;
    const asked = held ? "Your turn is done" : waits ? "You have chosen; the others choose" : turn.held === null ? scene.question?.text : `${this.texts.clans[turn.held]} ends the turn`;
    const text = behind ? "Look at what happened, then continue" : scene.over ? "The game is over" : question ? question.text : asked;
    if (byId("question-text").textContent !== text) byId("question-text").replaceChildren(...explained(withClans(text, this.texts)));
    const passing = buttons.filter((button) => button.matches(".pass, .last"));
    panel.replaceChildren(...this.given(), ...buttons.filter((button) => !passing.includes(button)), ...this.actions.lesson.others(question?.choices ?? []), h("div", { class: "foot" }, passing, this.foot(held)));
    if (this.fresh) panel.scrollTop = 0;
    this.fresh = false;
    panel.querySelectorAll(".choice").forEach((button, number) => {
      if (number < KEYS) for (const name of ["data-key", "aria-keyshortcuts"]) button.setAttribute(name, `${number + 1}`);
    });
    // What had the focus may be gone, with the question that was answered: the next one gets it.
    if (inside || (this.answered && document.activeElement === document.body)) {
      const next = panel.querySelector("button.choice, button.main");
      next?.focus({ preventScroll: true });
      this.answered = !next;
    }
  }

  // What this seat has chosen while others still choose.
  given() {
    const { given, waits } = this.view;
    if (!given.length) return [];
    const said = waits ? "You can change this until all have chosen." : "So far; all else is still to choose.";
    return [h("div", { class: "given" }, h("h3", {}, "Your choice"), h("ul", {}, given.map(({ text }) => h("li", {}, withClans(capital(text), this.texts)))), h("p", { class: "faint" }, said))];
  }

  /** Choices that have something in common: `label` and `head` say what. */
  group(label, head, buttons) {
    const group = h("details", { class: "choice-group", open: true, "aria-label": label, "data-group": label }, h("summary", { tabindex: -1 }, head, h("small", {}, `${buttons.length}`)), buttons);
    group.addEventListener("toggle", () => (this.opened = group.open && group.name ? label : this.opened));
    return group;
  }

  // Close the largest groups until what is left can be seen without scrolling; of the closed ones one can be open at a time.
  // In a lesson there is only the choice that it asks for.
  fold() {
    if (this.actions.lesson.only) return;
    const panel = byId("choices");
    const groups = [...panel.querySelectorAll("details.choice-group")].sort((one, other) => other.children.length - one.children.length);
    for (const group of groups) {
      if (panel.scrollHeight <= panel.clientHeight + 1) break;
      group.open = false;
      group.setAttribute("name", "choice-group");
      group.querySelector("summary").removeAttribute("tabindex"); // of an open group the choices alone are reached by Tab
    }
    const again = groups.find((group) => group.name && group.dataset.group === this.opened);
    if (again) again.open = true;
  }

  foot(held) {
    if (watches(this.view)) return this.view.scene.over || this.view.seat !== -1 ? [] : [this.actions.controls()];
    if (this.view.players[this.view.seat].agent !== null && !this.view.scene.over) {
      const { undoable } = this.view.players[this.view.seat];
      const back = (id, text, undo) => h("button", { type: "button", id, class: "main wide", onclick: () => this.actions.comeBack(undo) }, text);
      return [h("p", {}, "The others have an agent play for you."), back("come-back", "I am back", false),
        undoable ? back("come-back-undo", `I am back: take back what it did (${undoable} ${undoable === 1 ? "choice" : "choices"})`, true) : null].filter(Boolean);
    }
    const { undo, revealed } = this.view.turn;
    const { waits } = this.view;
    const back = (id, text, to) => h("button", { type: "button", id, class: "wide undo", onclick: () => this.ready && this.actions.undo(to) }, text);
    return [
      held ? h("button", { type: "button", id: "end-turn", class: "main wide", onclick: () => this.ready && this.actions.end() }, "End turn") : null,
      undo.length ? back("undo", waits ? "↶ Change my choice" : "↶ Take back my last choice", undo[undo.length - 1]) : null,
      undo.length > 1 ? back("undo-all", waits ? "↶ Choose all again" : "↶ Take back the whole turn", undo[0]) : null,
      revealed && !this.view.scene.over ? h("p", { class: "faint" }, "Your last choice has shown you something new: what you chose up to then can't be taken back.") : null,
    ].filter(Boolean);
  }
}
