// The page of a replay: the current step, the viewer, and the controls.

import { ALL, html } from "../render/elements.js";
import { Drama } from "../render/drama.js";
import { Chart } from "../render/chart.js";
import { keepStep, stepHere } from "../render/steps.js";
import { HEADING, StudyPanel } from "../render/study.js";
import { applied, seenBy } from "./scene.js";
import { Board } from "./board.js";
import { boardSequence } from "./motion.js";
import { drawQuestion, drawSheets } from "./sheets.js";

const DETAIL = 3;
const KIND_CLASSES = ["heading", "answer", "effect", "detail", "secret"];

function find(id) {
  return document.getElementById(id);
}

export class Player {
  constructor(data) {
    this.data = data;
    this.scenes = [data.first];
    for (const change of data.changes) this.scenes.push(applied(this.scenes[this.scenes.length - 1], change));
    this.last = this.scenes.length - 1;
    this.step = 0;
    this.viewer = ALL;
    this.timer = null;
    this.drama = new Drama();
    this.board = new Board(find("board"), data.texts);
    const glory = this.scenes.map((scene) => scene.clans.map((clan) => clan.glory));
    this.chart = new Chart(find("chart"), glory, data.moments, data.texts, (step) => this.jump(step));
    this.panel = null;
    this.fillControls();
    this.fillLog();
    this.listen();
    if (data.study) this.study(data.study);
    this.follow();
  }

  /** Show what was thought of each decision too; `own` and `retry` as `StudyPanel` takes them. */
  study(study, own = null, retry = null) {
    this.panel = new StudyPanel(this, study, own, retry);
  }

  // The part `step=53` of the address is a step of the game; other parts are left as they are.
  follow() {
    this.jump(stepHere() ?? this.step);
  }

  /** What was logged at a step, as the viewer sees it: [kind, text]. */
  rows(step) {
    const { log, strings } = this.data;
    const rows = Array.isArray(log[step]) ? log[step] : log[step][this.viewer === null ? "none" : this.viewer];
    return rows.map(([kind, number]) => [kind, strings[number]]);
  }

  get players() {
    return this.scenes[0].players;
  }

  get seats() {
    return this.players;
  }

  asked(step) {
    return this.scenes[step].question?.seat ?? null;
  }

  fillControls() {
    const clans = this.data.texts.clans.slice(0, this.scenes[0].players);
    const eyes = [[ALL, "all hands"], ["none", "public information"], ...clans.map((name, seat) => [seat, `what ${name} knows`])];
    find("viewer").append(...eyes.map(([value, text]) => html("option", { value }, text)));
    find("slider").max = this.last;
    find("ages").append(
      ...this.data.moments
        .filter(([, kind]) => kind !== "battle")
        .map(([step, , text]) => {
          const button = html("button", { type: "button" }, text);
          button.addEventListener("click", () => this.jump(step));
          return button;
        }),
    );
  }

  // The whole log for this viewer; what has not happened yet is hidden.
  fillLog() {
    this.lines = [];
    this.data.log.forEach((_, step) => {
      const rows = this.rows(step);
      for (const [kind, text] of rows) {
        const line = html("li", { class: KIND_CLASSES[kind], "data-step": step }, text);
        if (kind === DETAIL && rows.length > 1) line.classList.add("minor");
        this.lines.push({ step, line, kind });
      }
    });
    find("log").replaceChildren(...this.lines.map(({ line }) => line));
  }

  listen() {
    const clicks = { first: () => this.jump(0), back: () => this.jump(this.step - 1), forward: () => this.jump(this.step + 1) };
    Object.assign(clicks, { last: () => this.jump(this.last), play: () => this.toggle() });
    Object.assign(clicks, { "turn-back": () => this.turn(-1), "turn-forward": () => this.turn(1) });
    Object.assign(clicks, { "battle-back": () => this.battle(-1), "battle-forward": () => this.battle(1) });
    for (const [id, act] of Object.entries(clicks)) find(id).addEventListener("click", act);
    find("slider").addEventListener("input", (event) => this.jump(Number(event.target.value)));
    find("viewer").addEventListener("change", (event) => this.look(event.target.value));
    find("speed").addEventListener("change", () => this.timer && (this.stop(), this.toggle()));
    find("log").addEventListener("click", (event) => {
      const line = event.target.closest("li");
      if (line) this.jump(Number(line.dataset.step));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.follow());
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input")) return;
    // In a list, left and right step through the game as everywhere; the others are the list's own.
    if (event.target.closest("select") && !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (event.key === " " && event.target.closest("button")) return;
    const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play", b: "battle-forward", B: "battle-back" };
    Object.assign(keys, { t: "turn-forward", T: "turn-back", m: "costly-forward", M: "costly-back" });
    const age = Number(event.key);
    if (keys[event.key]) find(keys[event.key]).click();
    else if (age >= 1 && age <= 3) this.jumpToAge(age);
    else return;
    event.preventDefault();
  }

  jumpToAge(age) {
    const found = this.data.moments.filter(([, kind]) => kind === "age")[age - 1];
    if (found) this.jump(found[0]);
  }

  battle(direction) {
    const steps = this.data.moments.filter(([, kind]) => kind === "battle").map(([step]) => step);
    const ahead = direction > 0 ? steps.filter((step) => step > this.step) : steps.filter((step) => step < this.step).reverse();
    if (ahead.length) this.jump(ahead[0]);
  }

  // To where the next clan is asked, or the one before.
  turn(direction) {
    let step = this.step + direction;
    while (step > 0 && step < this.last && this.asked(step) === this.asked(step - 1)) step += direction;
    this.jump(step);
  }

  look(choice) {
    this.viewer = choice === ALL ? ALL : choice === "none" ? null : Number(choice);
    this.fillLog();
    this.panel?.fillMoves();
    this.panel?.fillMistakes();
    this.show();
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.step === this.last) this.step = 0;
    this.timer = setInterval(() => this.forward(), Number(find("speed").value));
    this.show();
  }

  forward() {
    this.step += 1;
    if (this.step >= this.last) this.stop();
    this.show();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  jump(step) {
    this.step = Math.min(Math.max(step, 0), this.last);
    keepStep(this.step);
    if (this.timer) this.stop();
    else this.show();
  }

  show() {
    const scene = seenBy(this.scenes[this.step], this.viewer);
    const { texts, agents } = this.data;
    this.board.draw(scene);
    this.drama.end();
    if (this.step === this.shown + 1) this.drama.play(boardSequence(this.board, this.scene, scene));
    this.scene = scene;
    this.shown = this.step;
    drawSheets(find("sheets"), scene, texts, agents);
    drawQuestion(find("question"), scene, texts);
    this.chart.at(this.step);
    find("clock").textContent = scene.over ? scene.phase : `Age ${scene.age + 1} of 3 · ${scene.phase}`;
    find("slider").value = this.step;
    find("count").textContent = `${this.step} / ${this.last}`;
    const playing = this.timer !== null;
    find("play").textContent = playing ? "Pause" : "Play";
    find("play").setAttribute("aria-pressed", playing);
    const viewer = this.viewer === ALL ? undefined : this.viewer;
    document.dispatchEvent(new CustomEvent("step", { detail: { step: this.step, viewer } }));
    this.showShares();
    this.panel?.show();
    this.showLog(playing); // last: the other parts change the height of the log, which is scrolled
  }

  showLog(playing) {
    let latest = null;
    const lines = [];
    for (const { step, line, kind } of this.lines) {
      line.hidden = step > this.step;
      line.classList.toggle("now", step === this.step);
      if (step <= this.step) latest = line;
      if (step === this.step && kind !== HEADING) lines.push(line.textContent);
    }
    if (latest) find("log").scrollTop = latest.offsetTop + latest.offsetHeight - find("log").clientHeight;
    if (!playing) find("status").textContent = lines.join(". ");
  }

  // What the agent thought of the answers to the open question, where that was recorded and may be seen.
  showShares() {
    const { probabilities, actions, strings } = this.data;
    const rows = probabilities && probabilities[this.step];
    const panel = find("shares");
    panel.hidden = !rows || !rows.length || this.scene.question === null || (this.viewer !== ALL && this.scene.question.seat !== this.viewer);
    if (panel.hidden) return;
    panel.replaceChildren(
      ...rows.map(([action, share, number]) => {
        const chosen = action === actions[this.step];
        const percent = `${(share / 10).toFixed(share < 100 ? 1 : 0)} %`;
        const bar = html("span", { class: "bar" });
        bar.style.width = `${share / 10}%`;
        return html(
          "li",
          { class: chosen ? "chosen" : "" },
          bar,
          html("span", { class: "answer" }, `${strings[number]}${chosen ? " (chosen)" : ""}`),
          html("span", { class: "percent" }, percent),
        );
      }),
    );
  }
}
