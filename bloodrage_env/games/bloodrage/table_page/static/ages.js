// The scenes of the log, shown one after the other: battles, and the phases at the end of an Age.

import { battles } from "./battle.js";
import { h, withCards } from "../static/dom.js";

/** The phases that have begun, in order: {title, phase, places and clans: as they were then, lines, end: the entry it ended with}. */
function phases(log) {
  const found = [];
  let now = null;
  log.forEach((entry, number) => {
    const begun = [...(entry.phases ?? [])];
    for (const [kind, text] of entry.lines) {
      if (kind === "heading") {
        if (now) now.end = number;
        now = begun.length && begun[0].title === text ? { ...begun.shift(), lines: [], end: null } : null;
        if (now) found.push(now);
      } else if (now && (kind === "effect" || kind === "answer")) now.lines.push(text);
    }
  });
  return found;
}

/** All that is over, in the order in which it was: battles have `sides`, phases a `title`. */
export function happened(log) {
  const over = [...battles(log), ...phases(log)].filter(({ end }) => end !== null);
  return over.sort((a, b) => a.end - b.end || Boolean(a.title) - Boolean(b.title));
}

/** A phase of the end of an Age, over the board; `next()` is called by its button. */
export function phaseScene(texts, item, next) {
  return h("div", { class: "phase-scene", role: "group", "aria-label": item.title },
    h("header", {}, h("h2", {}, item.title), h("button", { type: "button", class: "main", id: "continue", onclick: next }, "Continue")),
    h("small", { class: "faint" }, "Board and sheets: before this phase"),
    h("ul", {}, item.lines.map((line) => h("li", { class: / gains .*glory/.test(line) ? "gain" : "" }, withCards(line, texts)))));
}
