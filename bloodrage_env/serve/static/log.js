// What happened.

import { byId, h, withCards } from "./dom.js";
import { explained } from "./terms.js";

const SMALL = ["detail", "secret"];

/** The log up to the end of something that is looked at: a battle, or a phase with a `title`; `end` is its last entry. */
export function logUntil(log, { end, title }) {
  const heads = log[end].lines.flatMap(([kind, text], line) => (kind === "heading" ? [[line, text]] : []));
  const own = heads.findIndex(([, text]) => text === title);
  const next = heads[own + 1];
  return next ? [...log.slice(0, end), { ...log[end], lines: log[end].lines.slice(0, next[0]) }] : log.slice(0, end + 1);
}

/** The log; entries with a battle have a button that calls `battle(number)`, counted from 0. */
export class Log {
  constructor(texts, battle) {
    this.texts = texts;
    this.battle = battle;
    this.clear();
    const box = byId("log");
    let top = 0;
    box.addEventListener("scroll", () => {
      if (box.scrollTop < top) this.follows = false;
      if (box.scrollHeight - box.scrollTop - box.clientHeight < 20) this.follows = true;
      top = box.scrollTop;
    });
    new ResizeObserver(() => this.toEnd()).observe(box);
  }

  toEnd() {
    if (this.follows) byId("log").scrollTop = byId("log").scrollHeight;
  }

  clear() {
    this.shown = [];
    this.battles = 0;
    this.follows = true; // unless the reader has scrolled up
    byId("log").replaceChildren();
  }

  draw(entries) {
    const same = this.shown.every((text, number) => number < entries.length && JSON.stringify(entries[number]) === text);
    if (!same) this.clear();
    const box = byId("log");
    for (const entry of entries.slice(this.shown.length)) {
      const lines = entry.lines.filter(([kind]) => kind !== "detail" || entry.lines.length === 1);
      const shown = lines.map(([kind, text]) => this.line(kind, text));
      if (entry.battle?.some(({ step }) => step === "totals")) {
        const next = lines.findIndex(([kind]) => kind === "heading"); // the phase that the battle was the end of
        shown.splice(next < 0 ? lines.length : next, 0, this.button(this.battles));
      }
      box.append(...shown);
      this.battles += (entry.battle ?? []).filter(({ step }) => step === "begin").length;
      this.shown.push(JSON.stringify(entry));
    }
    this.toEnd();
  }

  line(kind, text) {
    if (kind === "heading") return h("h3", {}, text);
    return h("p", { class: SMALL.includes(kind) ? "small-line" : `line-${kind}` }, explained(withCards(text, this.texts)));
  }

  button(begun) {
    const number = begun - 1;
    return h("button", { type: "button", class: "small", onclick: () => this.battle(number) }, "look at this battle again");
  }
}
