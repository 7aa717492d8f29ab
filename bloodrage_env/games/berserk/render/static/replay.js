// The page of a replay: the board after each answer, the log beside it, and controls to step and to play.

import { Drama } from "../render/drama.js";
import { Chart } from "../render/chart.js";
import { ALL, html } from "../render/elements.js";
import { keepStep, stepHere } from "../render/steps.js";
import { StudyPanel } from "../render/study.js";
import { fights, ways } from "./actions.js";
import { Board } from "./board.js";
import { byCard } from "./face.js";
import { fightSequence } from "./motion.js";

const CLOSED = 1;
const HIDDEN = 2;
const STUNNED = 4;
const KINDS = ["heading", "answer", "effect", "detail", "secret"]; // of lines of the log

const find = (id) => document.getElementById(id);

export class Player {
  constructor(data) {
    Object.assign(this, { data, step: 0, timer: null, last: data.frames.length - 1, viewer: ALL, panel: null, drama: new Drama() });
    data.texts.faces = byCard(data.texts.faces);
    data.moments = [];
    this.board = new Board(find("field"), data.texts, () => {});
    find("names").textContent = data.sides;
    find("slider").max = this.last;
    const life = data.frames.map(({ cards }) => data.names.map((_, seat) => cards.reduce((sum, [slot, , , left]) => sum + (this.seatOf(slot) === seat ? left : 0), 0)));
    this.chart = new Chart(find("chart"), life, data.moments, data.texts, (step) => this.jump(step));
    this.fillLog();
    this.listen();
    if (data.study) this.study(data.study);
    this.jump(stepHere() ?? 0);
  }

  get players() {
    return this.data.names.length;
  }

  get seats() {
    return this.data.seats; // a player alone has one, and the demon none
  }

  seatOf(slot) {
    return Math.floor(slot / this.data.texts.squad);
  }

  /** Show what was thought of each decision too; `own` and `retry` as `StudyPanel` takes them. */
  study(study, own = null, retry = null) {
    this.panel = new StudyPanel(this, study, own, retry);
    this.show();
  }

  /** What was logged at a step: [kind, text]. */
  rows(step) {
    return this.data.frames[step].log;
  }

  asked(step) {
    const { seat } = this.data.frames[step];
    return seat < 0 ? null : seat;
  }

  listen() {
    const clicks = { first: () => this.jump(0), back: () => this.jump(this.step - 1), forward: () => this.jump(this.step + 1), last: () => this.jump(this.last), play: () => this.toggle() };
    for (const [id, act] of Object.entries(clicks)) find(id).addEventListener("click", act);
    find("slider").addEventListener("input", (event) => this.jump(Number(event.target.value)));
    find("speed").addEventListener("change", () => this.timer && (this.stop(), this.toggle()));
    const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play", m: "costly-forward", M: "costly-back" };
    document.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, button")) return;
      find(keys[event.key]).click();
      event.preventDefault();
    });
    addEventListener("hashchange", () => this.jump(stepHere() ?? this.step));
  }

  fillLog() {
    this.data.frames.forEach(({ log }, number) => {
      for (const [kind, text] of log) {
        const line = html("li", { class: KINDS[kind], "data-step": number }, text);
        line.addEventListener("click", () => this.jump(number));
        find("log").append(line);
      }
    });
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.step === this.last) this.step = 0;
    this.timer = setInterval(() => {
      this.step += 1;
      if (this.step >= this.last) this.stop();
      this.show();
    }, Number(find("speed").value));
    return this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  jump(step) {
    this.step = Math.max(0, Math.min(this.last, step));
    keepStep(this.step);
    if (this.timer) this.stop();
    else this.show();
  }

  // A frame as the scene that a board draws.
  scene({ cards, fires }) {
    const { faces } = this.data.texts;
    const drawn = cards.map(([slot, card, cell, life, bits]) => ({
      slot, card, cell, life, name: "", seat: this.seatOf(slot), whole: faces[card].life, down: Boolean(bits & HIDDEN),
      closed: Boolean(bits & CLOSED), stunned: Boolean(bits & STUNNED), says: [], notes: [],
    }));
    return { names: this.data.names, cards: drawn, fires: fires.map((cell) => [cell, ""]), turned: false, near: this.data.near, parts: this.data.parts, action: null, dice: [], phase: "" };
  }

  // Arrows for what this step has done, and for the action that goes on.
  done() {
    const frames = this.data.frames.slice(0, this.step + 1);
    const acted = fights(frames).filter(({ over, last }) => !over || last === this.step).slice(-1);
    return ways(frames.slice(-1), acted.map((fight) => ({ ...fight, over: true })), this.data.texts.squad);
  }

  // What was dealt to each, and what is bought of it so far, until the battle begins.
  drawSquads(squads) {
    find("squads").replaceChildren(...(squads ?? []).map(([seat, rows]) => html("div", { class: `edge-${seat}` }, html("h2", {}, this.data.names[seat]),
      html("ul", {}, rows.map(([card, copies, bought]) => {
        const { title, text } = this.data.texts.faces[card];
        const words = `${copies > 1 ? `${copies} ` : ""}${title}${bought ? `: ${copies > 1 ? `${bought} ` : ""}bought` : ""}`;
        return html("li", { class: bought ? "bought" : "", title: text }, words);
      })))));
  }

  show() {
    const frame = this.data.frames[this.step];
    const scene = this.scene(frame);
    this.board.draw(scene);
    this.drama.end();
    if (this.step === this.shown + 1) this.drama.play(fightSequence(this.board, this.data.frames.slice(0, this.step + 1), this.step, scene));
    this.shown = this.step;
    this.board.follow(this.done(), false);
    this.drawSquads(frame.squads);
    find("head").textContent = frame.head;
    find("count").textContent = `${this.step} / ${this.last}`;
    find("slider").value = this.step;
    find("play").textContent = this.timer ? "Pause" : "Play";
    this.chart.at(this.step);
    this.panel?.show();
    document.dispatchEvent(new CustomEvent("step", { detail: { step: this.step } }));
    const log = find("log");
    for (const line of log.children) line.classList.toggle("now", Number(line.dataset.step) === this.step);
    const now = log.querySelector(".now"); // scrolled by hand: a page around this one, with it in a frame, must stay
    if (now) log.scrollTop = now.offsetTop - (log.clientHeight - now.offsetHeight) / 2;
  }
}
