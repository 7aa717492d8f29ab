// What happened, and where glory came from.

import { byId, h, withClans } from "./dom.js";

const SMALL = ["detail", "secret"];

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
    return h("p", { class: SMALL.includes(kind) ? "small-line" : `line-${kind}` }, withClans(text, this.texts));
  }

  button(begun) {
    const number = begun - 1;
    return h("button", { type: "button", class: "small", onclick: () => this.battle(number) }, "look at this battle again");
  }
}

/** The table of glory, a column a clan, and under it each gain of a clan with what brought it. */
export function score(texts, view, seat, pick) {
  const { clans } = view.scene;
  const used = texts.sources.map((_, source) => source).filter((source) => view.glory.some((row) => row[source]));
  const order = clans.map((_, clan) => clan).sort((a, b) => clans[b].glory - clans[a].glory || a - b);
  const row = (name, cell, more = "") => h("tr", { class: more }, h("th", { scope: "row" }, name),
    order.map((clan) => h("td", { class: clan === seat ? "now" : "" }, `${cell(clan)}`)));
  return [
    h("table", { class: "score" },
      h("thead", {}, h("tr", {}, h("th", {}), order.map((clan) => h("th", { scope: "col" },
        h("button", { type: "button", class: `small edge-${clan}`, onclick: () => pick(clan) }, texts.clans[clan]))))),
      h("tbody", {}, used.map((source) => row(texts.sources[source], (clan) => view.glory[clan][source] || "–")),
        row("glory", (clan) => clans[clan].glory, "total"))),
    h("h3", {}, withClans(`How ${texts.clans[seat]} came to it`, texts)),
    gains(texts, view, seat),
  ];
}

function gains(texts, view, seat) {
  const name = texts.clans[seat];
  const rows = [];
  let heading = "";
  let battle = "";
  for (const entry of view.log) {
    const begun = (entry.battle ?? []).find(({ step }) => step === "begin");
    if (begun) battle = `battle of ${texts.geometry.places[begun.place].name}`;
    let came = battle || entry.lines.find(([kind]) => kind === "answer")?.[1] || "";
    for (const [kind, text] of entry.lines) {
      if (kind === "heading") [heading, came] = [text, ""];
      else if (text.startsWith(name) && / (gains|loses) .*glory/.test(text)) {
        rows.push(h("li", {}, h("b", {}, text.replace(`${name} `, "")), h("span", { class: "faint" }, ` ${heading}${came ? `, ${came}` : ""}`)));
      } else if (!battle && text.startsWith(`${name} meets`)) came = text.replace(`${name} `, "");
    }
    if ((entry.battle ?? []).some(({ step }) => step === "end")) battle = "";
  }
  return rows.length ? h("ol", { class: "gains" }, rows) : h("p", {}, "There is none yet.");
}
