// What cards do on the board, as it is seen: they step, are pushed, strike, are wounded and die, and dice roll.

import { svg } from "../render/elements.js";
import { icon, iconOf } from "./face.js";

const MOST = 6; // latest things that are seen of many
const TIMES = { step: 240, push: 200, dice: 340, strike: 300, hurt: 280 }; // milliseconds
const SHAKE = 8;
const REACH = 0.55; // of the way to a target
const BY_HAND = ["sword", "across"]; // icons of what a card strikes with itself; others are thrown
const FACES = "#stage .fight-art .face, #field .arrow .face"; // of dice

// What is new in the log from an entry on, in order: {kind, slot, ...} with cells as on the board.
function happenings(log, start) {
  const found = [];
  let [attacker, target, struck, text] = [null, null, false, ""];
  const strike = () => {
    if (!struck && target && target.slot !== attacker.slot) found.push({ kind: "strike", slot: attacker.slot, who: attacker, from: attacker.cell, to: target.cell, icon: iconOf(text) });
    struck = true;
  };
  log.forEach((entry, number) => {
    if (number === start) found.length = 0;
    const moves = (entry.moves ?? []).map(([slot, from, to, pushed]) => ({ kind: pushed ? "push" : "step", slot, who: null, from, to }));
    found.push(...moves.filter(({ kind }) => kind === "step"));
    for (const { step, who, text: said, dice, hurt } of entry.fight ?? []) {
      if (step === "begin") [attacker, target, text] = [who, null, said];
      else if (step === "aim" || step === "defend") [target, struck] = [who, false];
      else if (step === "dice") found.push({ kind: "dice", dice });
      else if (step === "result" || step === "wounds") strike();
      for (const each of hurt ?? []) found.push({ kind: "hurt", slot: each.who.slot, ...each, from: each.who.cell });
    }
    found.push(...moves.filter(({ kind }) => kind === "push"));
  });
  return log.length > start ? found.slice(-MOST) : [];
}

const placed = ({ width, height }, [x, y], more = "rotate(0deg) scale(1)") => `translate(${x + width / 2}px, ${y + height / 2}px) ${more} translate(${-width / 2}px, ${-height / 2}px)`;

// A card that moves over the board while its own place is empty; `points` are [time, transform, opacity].
class Actor {
  constructor(board, { cards, turned }, { slot, who, from }) {
    this.board = board;
    this.corner = (cell) => board.corner(cell, turned);
    const card = cards.find((each) => each.slot === slot);
    this.own = () => (card ? board.at(card.cell)?.querySelector(".card") : null);
    const drawn = this.own()?.cloneNode(true) ?? (who && board.card({ ...who, moves: 0, says: [], notes: [] }));
    drawn?.classList.remove("closed"); // it is after this
    this.place = this.corner(from);
    this.prop = drawn && this.place ? svg("g", { class: "actor", opacity: 0, "aria-hidden": "true", "pointer-events": "none" }, drawn) : null;
    this.points = [];
  }

  go(time, [dx, dy] = [0, 0], more = undefined, opacity = 1) {
    this.points.push([time, placed(this.board, [this.place[0] + dx, this.place[1] + dy], more), opacity]);
  }

  act({ kind, to, icon: name, lost, died }, begins, lasts) {
    this.go(begins);
    if (kind === "step" || kind === "push") this.place = this.corner(to) ?? this.place;
    else if (kind === "strike" && BY_HAND.includes(name)) {
      const aim = this.corner(to) ?? this.place;
      this.go(begins + 0.2 * lasts, [0, 1].map((axis) => -0.12 * (aim[axis] - this.place[axis])));
      this.go(begins + 0.55 * lasts, [0, 1].map((axis) => REACH * (aim[axis] - this.place[axis])));
    } else if (lost > 0) [1, -1, 1].forEach((way, number) => this.go(begins + (0.12 + 0.14 * number) * lasts, [way * SHAKE, 0]));
    if (died) this.go(begins + lasts, [0, 40], "rotate(24deg) scale(.55)", 0);
    else this.go(begins + lasts);
  }

  // The acts of all of its points.
  acts(length) {
    const frames = [[0, ...this.points[0].slice(1)], ...this.points, [length, ...this.points.at(-1).slice(1)]]
      .map(([time, transform, opacity]) => ({ offset: Math.min(1, time / length), transform, opacity }));
    return [{ on: () => this.prop, duration: length, frames }, { on: this.own, duration: length, frames: [{ opacity: 0 }, { opacity: 0 }] }];
  }
}

// A prop about the middle of a cell, and its part that is animated.
function overCell({ width, height }, [x, y], drawn) {
  const part = svg("g", { opacity: 0 }, drawn);
  return [svg("g", { class: "flies", transform: `translate(${x + width / 2} ${y + height / 2})`, "aria-hidden": "true", "pointer-events": "none" }, part), part];
}

// The life that a card loses or gets back, over it.
function lifeMark({ lost }) {
  const frames = [{ opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "scale(1.2)", offset: 0.3 }, { opacity: 1, transform: "translateY(-12px)", offset: 0.8 }, { opacity: 0, transform: "translateY(-22px)" }];
  return [svg("text", { class: lost > 0 ? "loses" : "heals", y: 16, "text-anchor": "middle", "font-size": 46 }, `${lost > 0 ? "−" : "+"}${Math.abs(lost)}`), frames];
}

// What is thrown from one place to another.
function thrown({ icon: name }, [x, y], [toX, toY]) {
  const aim = `translate(${toX - x}px, ${toY - y}px)`;
  return [icon(name, 0, 0, 3), [{ opacity: 1, transform: "translate(0px, 0px)" }, { opacity: 1, transform: aim, offset: 0.85 }, { opacity: 0, transform: aim }]];
}

/** The sequence (`Drama.play`) of what a log says from the entry `start` on, on a board that is drawn as `scene`. */
export function fightSequence(board, log, start, scene) {
  const seen = happenings(log, start);
  const [acts, cues, props, actors] = [[], [], [], new Map()];
  const rolls = seen.findLast(({ kind }) => kind === "dice"); // those that are shown
  let at = 0;
  for (const each of seen) {
    const { kind, slot, died } = each;
    if (kind === "dice" && each !== rolls) continue;
    if (kind === "dice") {
      for (let number = 0; number < 2 * each.dice.length; number += 1) acts.push({ on: () => document.querySelectorAll(FACES)[number], delay: at, duration: TIMES.dice, easing: "ease-out", frames: [
        { transform: `translate(${-30 - 9 * number}px, -34px) rotate(-560deg) scale(.6)`, opacity: 0.2 }, { transform: "translate(0, 0) rotate(24deg) scale(1.25)", opacity: 1, offset: 0.7 }, { transform: "none", opacity: 1 }] });
    } else {
      if (!actors.has(slot)) actors.set(slot, new Actor(board, scene, { ...each, who: seen.find((other) => other.slot === slot && other.who)?.who }));
      const actor = actors.get(slot);
      if (!actor.prop) continue;
      const flies = kind === "hurt" ? lifeMark(each) : kind === "strike" && !BY_HAND.includes(each.icon) ? thrown(each, actor.place, actor.corner(each.to) ?? actor.place) : null;
      if (flies) {
        const [prop, part] = overCell(board, actor.place, flies[0]);
        props.push(prop);
        acts.push({ on: () => part, delay: at, duration: TIMES[kind], frames: flies[1] });
      }
      actor.act(each, at, TIMES[kind]);
    }
    const sound = { dice: "dice", strike: "strike", hurt: died && "fall" }[kind];
    if (sound) cues.push([sound, at]);
    at += TIMES[kind];
  }
  for (const actor of [...actors.values()].filter(({ points }) => points.length)) {
    acts.push(...actor.acts(at));
    props.unshift(actor.prop);
  }
  board.root.append(...props);
  return [acts, cues, props];
}
