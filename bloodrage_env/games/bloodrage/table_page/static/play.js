// The page of a game: the seats of this browser, who looks at the screen, and what covers the board.

import { Board } from "../board/board.js";
import { boardSequence } from "../board/motion.js";
import { emblem } from "../board/sheets.js";
import { happened, phaseScene } from "./ages.js";
import { battleBrief, battleLine, battles, battleScene, callLine } from "./battle.js";
import { catalogue, look, stats } from "./catalogue.js";
import { clash, stateOf } from "./clash.js";
import { Chooser, privateCards } from "./choose.js";
import { drawClans, drawClock } from "./clans.js";
import { startArt } from "../static/art.js";
import { Advice } from "../static/advice.js";
import { cards, help, notice, settings, show } from "../static/dialogs.js";
import { byId, capital, h, request } from "../static/dom.js";
import { endScene, score } from "./glory.js";
import { Moves } from "./moves.js";
import { placeSheet } from "./place.js";
import { allowRow, Hint } from "../static/hint.js";
import { showPart, startParts } from "../static/parts.js";
import { rules } from "../static/rules.js";
import { drawBoard, picture } from "./pictures.js";
import { Table, tokensHere } from "../static/table.js";
import { Log, logUntil } from "../static/log.js";
import { tile } from "../static/tiles.js";
import { startTerms } from "../static/terms.js";
import { turnStart, watches } from "../static/watch.js";

class Play extends Table {
  constructor(texts, tokens) {
    super(texts, tokens, "bloodrage.brz");
    this.board = new Board(byId("board"), texts, (place) => this.touched(place));
    this.moves = new Moves(this.board);
    this.advice = new Advice(this.board.root, (choice) => this.ends(choice));
    this.watched = null; // the number of a battle that is looked at again
    this.away = null; // what was put aside to look at the board
    Object.assign(this, { shown: null, fight: null, fought: null }); // the scene on the board, the battle on the stage, and what was seen of it
    this.log = new Log(texts, (number) => this.watch(number));
    this.chooser = new Chooser(texts, this.board, this.actions());
    byId("show-score").addEventListener("click", () => this.score(Math.max(0, this.looking?.view.seat ?? 0)));
    byId("show-help").addEventListener("click", help);
    byId("show-rules").addEventListener("click", () => rules((name) => picture(name, texts)));
    byId("show-cards").addEventListener("click", () => this.open() && catalogue(this.texts, this.looking.view));
    byId("show-settings").addEventListener("click", () => this.settings());
    this.hint = new Hint(texts, (error) => this.failed(error), () => this.advise());
    this.begin();
  }

  // A touch of a place, which may have answered the question.
  touched(place) {
    if (this.sending || !this.open()) return;
    const here = this.next() ? [] : this.chooser.choices.filter((choice) => choice.place === place || choice.origin === place);
    placeSheet(this.texts, this.looking.view, place, here.map((choice) => this.chooser.button(choice, capital(choice.text), "wide")));
  }

  card(card) {
    if (this.open()) look(this.texts, this.looking.view, card);
  }

  // ---- drawing

  draw() {
    const seat = this.looking;
    const { view } = seat;
    const waiting = this.waiting();
    const next = waiting[0];
    this.name("Blood Rage");
    const then = next; // a battle or a phase that has begun since: this is how it was
    const scene = then ? { ...view.scene, places: then.places, clans: then.clans, age: then.age, phase: then.phase, question: null, over: false } : view.scene;
    this.board.draw(scene);
    if (this.shown) this.drama.play(boardSequence(this.board, this.shown, scene));
    this.shown = scene;
    drawClock(this.texts, scene);
    this.watching.follow(seat);
    drawClans(this.texts, { ...view, scene, chances: view.seat === -1 ? this.watching.chances : null }, {
      look: (card) => this.card(card),
      list: (title, numbers) => cards(this.texts, title, numbers, (card) => this.card(card)),
      stats: () => stats(this.texts, view),
      score: (clan) => this.score(clan),
    });
    this.lesson.show(view, next ? (next.title ?? (this.own(next) ? "Battle" : "Battle of others")) : null);
    this.chooser.show(next ? { ...view, question: null, behind: true } : view);
    this.hint.draw(seat, !next && !this.lesson.goesOn);
    this.log.draw(next ? logUntil(view.log, next) : view.log);
    this.drawMoves(seat, then);
    this.stage();
    this.mark();
    this.wait();
  }

  // What happened and was not yet looked at, in order; who watches is shown what happens now.
  waiting() {
    if (watches(this.looking.view)) return [];
    const over = happened(this.looking.view.log);
    if (this.looking.seen === null) this.looking.seen = over.length;
    this.looking.seen = Math.min(this.looking.seen, over.length); // something was taken back
    return over.slice(this.looking.seen);
  }

  next() {
    return this.waiting()[0];
  }

  continue() {
    this.looking.seen += 1;
    this.draw();
    byId("continue")?.focus();
  }

  drawMoves(seat, then) {
    const { log } = seat.view;
    const moved = (from) => log.slice(from).flatMap((entry) => entry.moves ?? []);
    if (then) {
      this.moves.show([]);
      return;
    }
    if (watches(seat.view)) seat.since = turnStart(log, this.texts.clans);
    else if (!seat.drawn || seat.drawn > log.length) seat.since = log.length;
    seat.drawn = log.length;
    this.moves.show(moved(seat.since));
  }

  settled() {
    if (this.looking?.view) this.stage();
    this.mark();
  }

  stage() {
    this.fight = null;
    const content = this.content(this.looking.view);
    const slim = content && ["call-line", "brief", "phase-scene"].some((name) => content.classList.contains(name));
    const waits = this.next() ? this.looking.seen : null; // for a click on Continue, which has its place there
    const comes = waits === null ? !slim && (byId("stage").hidden || byId("stage").className) : waits !== this.brought;
    if (content && comes) showPart("board"); // what covers the board must be seen
    this.brought = waits;
    byId("stage").hidden = !content;
    const inside = byId("stage").contains(document.activeElement);
    this.placeStage(slim);
    byId("stage").replaceChildren(...(content ? [content] : []));
    if (inside) byId("stage").querySelector("button")?.focus();
    this.hint.light();
    this.drama.drawn();
    if (this.fight) this.clash();
  }

  // Play what the battle on the stage has come to since it was last seen.
  clash() {
    const before = this.fought?.number === this.fight.number ? this.fought.state : null;
    this.fought = { number: this.fight.number, state: stateOf(this.fight) };
    this.drama.play(clash(this.fight, before, before ? this.drama.left() : 0));
  }

  // Arrows for what the lesson asks for, or the hint recommends.
  advise() {
    const taught = this.lesson.only?.length ? this.chooser.choices.slice(0, 1) : null;
    this.advice.show(taught ? taught.map((choice) => ({ choice, label: "" })) : this.hint.moves());
  }

  ends({ place, origin }) {
    const { question } = this.looking.view.scene;
    if (question?.decision === "CALL" && place !== null) return [this.board.centre(place), this.board.centre(question.place)];
    return place === null ? null : [origin === null ? null : this.board.centre(origin), this.board.centre(place)];
  }

  // Whether the clan on the screen is in a battle.
  own({ sides }) {
    return sides.some(({ seat }) => seat === this.looking.view.seat);
  }

  content(view) {
    const fought = battles(view.log);
    if (this.watched !== null && fought[this.watched]) {
      return this.battle(view, fought[this.watched], "Back to the board", () => this.watch(null));
    }
    const next = this.next();
    const go = () => this.continue();
    if (next?.title) return phaseScene(this.texts, next, go);
    if (next && this.own(next)) return this.battle(view, next, "Continue", go);
    if (next) {
      this.fight = next;
      return battleBrief(this.texts, next, go);
    }
    const latest = fought[fought.length - 1];
    if (latest && latest.end === null) {
      if (!this.own(latest)) return battleLine(this.texts, latest);
      const key = `battle ${fought.length}`;
      if (this.away !== key) return this.battle(view, latest, "Look at the board", () => this.put(key));
      return this.backTo("Back to the battle");
    }
    if (view.scene.over) return this.away === "end" ? this.backTo("Back to the result") : this.end(view);
    if (view.waits && view.scene.phase === this.texts.phases[0]) return this.draft(view);
    if (view.scene.question?.decision === "DRAFT" && view.question) return this.draft(view);
    if (view.scene.question?.decision === "CALL") return callLine(this.texts, view.scene);
    return null;
  }

  battle(view, battle, leave, close) {
    this.fight = battle;
    return battleScene(this.texts, view, battle, leave, close);
  }

  put(key) {
    this.away = key;
    this.stage();
    this.wait();
  }

  backTo(text) {
    return h("p", { class: "call-line" }, h("button", { type: "button", class: "main", onclick: () => this.put(null) }, text));
  }

  draft(view) {
    if (this.away === "draft") return this.backTo("Back to the cards");
    if (view.waits) return this.picked(view);
    const { pack } = view.scene.clans[view.seat].private;
    const picked = view.question.choices.find(({ card }) => card !== null && card === this.chooser.filter.card);
    const last = /round (\d+) of \1\b/.test(view.question.text);
    const keep = picked && h("button", { type: "button", class: "main", id: "keep", onclick: () => this.chooser.answer(picked.action) },
      capital(picked.text));
    return h("div", { class: "draft" },
      h("header", {}, emblem(view.seat, 26), h("h2", {}, "Gods' Gifts: choose a card to keep"),
        h("button", { type: "button", onclick: () => this.put("draft") }, "Look at the board")),
      h("div", { class: "tiles" }, pack.map((card) => this.chooser.tileOf(card))),
      h("p", { class: "faint" }, keep ?? `Click a card, and again to keep it. The others ${last ? "leave the game unseen" : "are passed on to the left"}.`));
  }

  // The pack of a seat that waits, with its pick.
  picked(view) {
    const { pack, chosen } = privateCards(view);
    return h("div", { class: "draft" },
      h("header", {}, emblem(view.seat, 26), h("h2", {}, "Gods' Gifts: the others still choose"),
        h("button", { type: "button", onclick: () => this.put("draft") }, "Look at the board")),
      h("div", { class: "tiles" }, pack.map((card) => tile(this.texts, card, chosen.includes(card) ? { more: "chosen mine", label: "your choice" } : { more: "cannot" }))),
      h("p", { class: "faint" }, chosen.length > 1 ? "You keep the cards that are marked." : "You keep the card that is marked."));
  }

  end(view) {
    const shown = byId("stage").querySelector(".end");
    if (shown && view.evening.next) shown.querySelector("#again")?.replaceWith(this.again());
    return shown ?? endScene(this.texts, view, {
      board: () => this.put("end"),
      save: () => this.save(),
      again: this.again(),
      evening: this.evening(),
      review: `review#${this.looking.token}`,
      score: (clan) => this.score(clan),
    });
  }

  lastBattle() {
    const last = battles(this.looking.view.log).findLastIndex(({ end }) => end !== null);
    return last < 0 ? null : h("button", { type: "button", id: "last-battle", class: "wide", onclick: () => this.watch(last) }, "The last battle again");
  }

  watch(number) {
    this.watched = number;
    this.fought = null;
    this.stage();
    this.wait();
    byId("continue")?.focus();
  }

  score(seat) {
    if (this.looking) show("Glory", score(this.texts, this.looking.view, seat, (clan) => this.score(clan)));
  }

  settings() {
    if (!this.open()) return;
    const allow = (allowed) => this.act((seat) => seat.allowHints(allowed));
    settings(() => this.draw(), watches(this.looking.view) ? [] : [allowRow(this.texts, this.looking.view, allow)]);
  }

}

async function start() {
  const tokens = tokensHere();
  if (!tokens) return;
  try {
    const [{ data: texts }] = await Promise.all([request("api/texts"), drawBoard(byId("board")), startTerms(), startArt()]);
    new Play(texts, tokens);
  } catch (error) {
    notice(`The page can't be started: ${error.message}. Load it again.`);
  }
}

startParts();
start();
