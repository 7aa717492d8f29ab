// Glory: where it came from, and the end of the game.

import { Chart } from "../render/chart.js";
import { svg } from "../render/elements.js";
import { emblem } from "../board/sheets.js";
import { h, withCards, withClans } from "../static/dom.js";
import { duration } from "../static/settings.js";

const COUNT = 2600; // milliseconds in which the final scores are counted up, at normal speed

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
        h("button", { type: "button", class: `small edge-${clan}`, onclick: () => pick(clan) }, emblem(clan, 12), texts.clans[clan]))))),
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
        rows.push(h("li", {}, h("b", {}, text.replace(`${name} `, "")), h("span", { class: "faint" }, withCards(` ${heading}${came ? `, ${came}` : ""}`, texts))));
      } else if (!battle && text.startsWith(`${name} meets`)) came = text.replace(`${name} `, "");
    }
    if ((entry.battle ?? []).some(({ step }) => step === "end")) battle = "";
  }
  return rows.length ? h("ol", { class: "gains" }, rows) : h("p", {}, "There is none yet.");
}

/** The glory of each clan after each entry of the log, the first row before any. */
function course(view) {
  const rows = [view.scene.clans.map(() => 0)];
  for (const { glory = [] } of view.log) {
    const row = [...rows[rows.length - 1]];
    for (const [seat, , amount] of glory) row[seat] += amount;
    rows.push(row);
  }
  return rows;
}

/** The end of the game: final scores, counted up from what they were before the last phase. `actions`: board, save, review (a link), score; `again` and `evening` are elements. */
export function endScene(texts, view, actions) {
  const { clans, outcome } = view.scene;
  const rows = course(view);
  const before = rows[rows.length - 2] ?? rows[0];
  const most = Math.max(1, ...clans.map(({ glory }) => glory));
  const order = clans.map((_, clan) => clan).sort((a, b) => clans[b].glory - clans[a].glory || a - b);
  const bars = order.map((clan) => ({ clan, from: before[clan], to: clans[clan].glory, number: h("b", {}), bar: h("progress", { max: most }) }));
  count(bars);
  const chart = svg("svg", { id: "chart", class: "chart", role: "img", "aria-label": "Glory of each clan over the game" });
  const node = h("div", { class: "end" },
    h("header", {}, h("h2", {}, withClans(outcome, texts)), h("button", { type: "button", onclick: actions.board }, "Look at the board")),
    h("ol", { class: "final" }, bars.map(({ clan, number, bar }) => h("li", { class: `edge-${clan}` }, emblem(clan, 12), h("span", {}, texts.clans[clan]), bar, number))),
    h("p", { class: "ways" }, actions.again, " ", h("button", { type: "button", onclick: actions.save }, "Save the replay"), " ",
      h("a", { class: "button", id: "review", href: actions.review }, "Review the game"), " ", h("a", { class: "button", href: "/" }, "To the start page")),
    chart,
    score(texts, view, Math.max(0, view.seat), actions.score),
    actions.evening);
  new Chart(chart, rows, moments(view.log), texts, () => {});
  return node;
}

function count(bars) {
  const time = duration(COUNT);
  const begun = performance.now();
  const step = (now) => {
    const share = time ? Math.min(1, Math.max(0, (now - begun) / time)) : 1;
    for (const { from, to, number, bar } of bars) {
      bar.value = from + (to - from) * share;
      number.textContent = `${Math.round(bar.value)}`;
    }
    if (share < 1) requestAnimationFrame(step);
  };
  step(begun);
}

// Where Ages and battles are in the chart.
function moments(log) {
  return log.flatMap((entry, number) => [
    ...entry.lines.filter(([kind, text]) => kind === "heading" && /Gods' Gifts$/.test(text)).map(([, text]) => [number, "age", text.split(":")[0]]),
    ...(entry.battle ?? []).filter(({ step }) => step === "begin").map(() => [number, "battle", "a battle"]),
  ]);
}
