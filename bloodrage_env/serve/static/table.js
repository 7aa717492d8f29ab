// A table in the browser, of whatever game: its seats, who looks at the screen, and what is sent.

import { Drama } from "../render/drama.js";
import { callFor, titleFor } from "./call.js";
import { notice } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { again, eveningTable } from "./evening.js";
import { Here } from "./here.js";
import { Lesson } from "./lesson.js";
import { Missing } from "./missing.js";
import { Puzzle } from "./puzzle.js";
import { people, showsPeople } from "./people.js";
import { replayOf, Seat, showConnection } from "./seats.js";
import { applyTheme, duration, END_SECONDS, setting } from "./settings.js";
import { playSounds } from "./sounds.js";
import { Watch } from "./watch.js";

const UNSAVED = "This game is not saved at present: the server can't write its file. It tries again; you can play on.";

/**
 * What the page of each game extends. It sets `chooser` (a `Chooser`) and `log`, calls `begin()`, and has `draw()`, which shows
 * `looking.view` and calls `mark()` and `wait()`, `settled()`, called when a question has begun to take input, `next()`, what
 * happened and was not yet looked at, and `card(card, slot)`, which shows a card large; the slot is null where it is on no board.
 */
export class Table {
  /** `file` is the name of a replay that is saved. */
  constructor(texts, tokens, file) {
    this.texts = texts;
    this.file = file;
    this.seats = tokens.map((token) => new Seat(token, (seat, before) => this.changed(seat, before), () => showConnection(this.seats)));
    this.looking = null; // the seat whose view is on the screen
    this.watching = new Watch((error) => this.failed(error), () => this.draw());
    this.drama = new Drama(duration, playSounds);
    this.here = new Here(texts, (error) => this.failed(error));
    this.missing = new Missing(texts, (again) => this.act((seat) => seat.playOn(again)));
    this.lesson = new Lesson(texts, () => this.draw());
    this.puzzle = new Puzzle(texts, (way) => this.act((seat) => seat.puzzle(way)));
  }

  failed(error) {
    notice(`That didn't work: ${error.message}.`, 5000);
  }

  begin() {
    document.body.append(h("div", { id: "unsaved", role: "status" }));
    this.enlarge();
    byId("enlarge")?.addEventListener("click", (event) => {
      event.target.setAttribute("aria-pressed", document.body.classList.toggle("enlarged"));
      if (this.looking?.view) this.draw();
    });
    for (const event of ["shown", "close"]) byId("dialog").addEventListener(event, () => this.looking?.view && this.wait());
    byId("show-people").addEventListener("click", () => this.open() && this.people());
    for (const seat of this.seats) seat.follow();
  }

  people() {
    people(this.texts, this.looking, (error) => this.failed(error), eveningTable(this.texts, this.looking, (token) => this.save(token)));
  }

  // What a `Chooser` is given.
  actions() {
    return {
      answer: (action) => this.act((seat) => seat.answer(seat.view.question.number, action)),
      answers: (actions) => this.act((seat) => seat.answers(seat.view.question.number, actions)),
      undo: (to) => this.act((seat) => seat.undo(seat.view.turn.number, to)),
      end: () => this.endTurn(),
      comeBack: (undo) => this.act((seat) => seat.comeBack(undo)),
      controls: () => this.watching.controls(this.looking, this.lastBattle()),
      drawn: () => this.settled(),
      lesson: this.lesson,
    };
  }

  // A button to look at the last battle again, for who watches; a game with battles has one.
  lastBattle() {
    return null;
  }

  // What covers the board or, if it is a line or two, is beside it: the board keeps its size.
  placeStage(slim) {
    const stage = byId("stage");
    stage.className = slim ? "slim" : "";
    if (slim && stage.parentElement !== byId("side")) byId("question").after(stage);
    if (!slim && stage.parentElement !== byId("middle")) byId("middle").append(stage);
  }

  // The title of the page, as `title` names the game.
  name(title) {
    const { view } = this.looking;
    document.title = titleFor(view, this.texts.clans[view.seat], title);
  }

  // Whether there is a view, and nobody else is to see it.
  open() {
    return Boolean(this.looking?.view) && byId("curtain").hidden;
  }

  // Any card, wherever it is named: by a right click or a long touch, by the key c, or by a click if that does nothing else.
  enlarge() {
    let over = null;
    const at = (node) => node?.closest?.("[data-card]") ?? null;
    const large = (node, event) => {
      if (!node || !this.open()) return;
      event.preventDefault();
      this.card(Number(node.dataset.card), node.dataset.slot === undefined ? null : Number(node.dataset.slot));
    };
    document.addEventListener("pointerover", (event) => (over = at(event.target)));
    document.addEventListener("contextmenu", (event) => large(at(event.target), event));
    document.addEventListener("click", (event) => event.target.closest("button") || large(at(event.target), event));
    document.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.closest("input, select");
      if (event.key === "c" && plain) large(at(document.activeElement) ?? over, event);
    });
  }

  // ---- who looks

  changed(seat, before) {
    byId("unsaved").textContent = this.seats.some((each) => each.view?.saved === false) ? UNSAVED : "";
    if (this.seats.some((each) => !each.view)) return;
    this.here.draw(this.seats);
    this.missing.draw(this.seats);
    this.puzzle.show(seat.view);
    if (seat === this.looking && showsPeople() && JSON.stringify(before.players) !== JSON.stringify(seat.view.players)) this.people();
    if (this.seats.length === 1) callFor(before, seat.view); // one computer that is passed on shows whose turn it is
    const asked = this.seats.filter(({ view }) => view.question || view.turn.held === view.seat);
    const next = asked.includes(this.looking) ? this.looking : (asked[0] ?? this.looking ?? seat);
    if (this.seats.length === 1 || next === this.looking) this.look(next);
    else this.curtain(next);
  }

  // Nobody sees anything of a hand until the next person says that it is them.
  curtain(next) {
    const name = this.texts.clans[next.view.seat];
    const person = next.view.players[next.view.seat].person;
    clearTimeout(this.ending);
    this.chooser.leave();
    document.body.classList.add("curtained");
    byId("curtain").hidden = false;
    byId("dialog").close();
    const ready = h("button", { type: "button", class: "main", onclick: () => {
      byId("curtain").hidden = true;
      document.body.classList.remove("curtained");
      this.log.clear();
      this.look(next);
    } }, `I am ${name}`);
    byId("curtain").replaceChildren(h("div", { class: `pass-on edge-${next.view.seat}` },
      h("h2", {}, `Pass to ${name}`), h("p", {}, person ? `${person}, it is your turn.` : "It is your turn."), ready));
    this.looking = next;
    this.mark();
    ready.focus();
  }

  look(seat) {
    if (!byId("curtain").hidden) return;
    this.looking = seat;
    this.draw();
  }

  // The question that can be answered now, or the turn that can be ended, by number, for whatever drives the page: there
  // is none while an answer is sent.
  mark() {
    const open = !this.sending && this.chooser.ready && byId("curtain").hidden && this.looking && !this.next();
    const { question, turn, seat } = this.looking?.view ?? {};
    const marks = { asks: question?.number, ends: turn?.held === seat ? turn?.number : undefined };
    for (const [name, number] of Object.entries(marks)) {
      if (!open || number === undefined) delete document.body.dataset[name];
      else document.body.dataset[name] = number;
    }
    if (!this.chooser.view) return;
    this.chooser.fold(); // now that all that is beside the choices has its size
    this.lesson.light(this.chooser.marks());
  }

  // ---- what is sent

  // A turn that is done ends by itself after a while, if that is set and nothing else waits for a click.
  wait() {
    const { turn, seat } = this.looking.view;
    const waits = turn.held === seat && setting("end") === "wait" && byId("curtain").hidden && !this.shows();
    byId("end-turn")?.classList.toggle("counting", waits);
    clearTimeout(this.ending);
    if (waits) this.ending = setTimeout(() => this.endTurn(), 1000 * END_SECONDS);
  }

  // Whether something lies over the board, or a text of a lesson is to be read.
  shows() {
    const stage = byId("stage");
    return byId("dialog").open || this.lesson.goesOn || Boolean(this.next()) || Boolean(stage && !stage.hidden && stage.className !== "slim");
  }

  endTurn() {
    clearTimeout(this.ending);
    if (this.looking.view.turn.held === this.looking.view.seat) this.act((seat) => seat.end(seat.view.turn.number));
  }

  async act(send) {
    const seat = this.looking;
    if (this.sending) return;
    clearTimeout(this.ending);
    this.sending = true;
    document.body.classList.add("sending");
    this.mark();
    seat.since = seat.view.log.length;
    try {
      await send(seat);
    } catch (error) {
      this.failed(error);
    } finally {
      this.sending = false;
      document.body.classList.remove("sending");
      this.mark();
    }
  }

  /** The games of these people so far, and a button for the next one. */
  evening() {
    return eveningTable(this.texts, this.looking, (token) => this.save(token));
  }

  again() {
    return again(this.texts, this.seats, (error) => this.failed(error));
  }

  async save(token = this.looking.token) {
    try {
      const link = h("a", { href: URL.createObjectURL(await replayOf(token)), download: this.file });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.failed(error);
    }
  }
}

/** The tokens that this page is opened with; null, and on to the start page, where there are none. */
export function tokensHere() {
  const tokens = location.hash.slice(1).split(",").filter(Boolean);
  if (tokens.length) return tokens;
  location.replace("/");
  return null;
}

applyTheme();
addEventListener("hashchange", () => location.reload());
