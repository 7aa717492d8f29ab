// The rules of the game, to read and to search in.

import { show } from "/static/dialogs.js";
import { byId, h, request } from "/static/dom.js";

let sections = null; // as docs/rules_data.py makes them

// A text with what was searched for marked in it.
function marked(text, wanted) {
  if (!wanted) return [text];
  const parts = [];
  let from = 0;
  for (let at = text.toLowerCase().indexOf(wanted); at >= 0; at = text.toLowerCase().indexOf(wanted, from)) {
    parts.push(text.slice(from, at), h("mark", {}, text.slice(at, at + wanted.length)));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

function part(content, wanted) {
  if (content.items) return h("ul", {}, content.items.map((item) => h("li", {}, marked(item, wanted))));
  if (!content.rows) return h("p", {}, marked(content, wanted));
  const row = (cells, tag) => h("tr", {}, cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, marked(cell, wanted))));
  return h("table", {}, h("thead", {}, row(content.rows[0], "th")), h("tbody", {}, content.rows.slice(1).map((cells) => row(cells, "td"))));
}

function paragraph({ number, parts }, wanted) {
  return h("div", { class: "paragraph" }, number ? h("b", {}, `${number} `) : null, parts.map((each) => part(each, wanted)));
}

/** Whether a paragraph has a text in it, or its number begins so; `wanted` is in small letters. */
export function has({ number, parts }, wanted) {
  return number.startsWith(wanted) || JSON.stringify(parts).toLowerCase().includes(wanted);
}

function fill(wanted) {
  const found = sections.map((section) => ({ ...section, paragraphs: section.paragraphs.filter((each) => has(each, wanted)) }));
  const shown = found.filter(({ paragraphs }) => paragraphs.length);
  const count = shown.reduce((sum, { paragraphs }) => sum + paragraphs.length, 0);
  byId("rules-found").textContent = wanted ? `${count} ${count === 1 ? "paragraph" : "paragraphs"}` : "";
  byId("rules-text").replaceChildren(...shown.map(({ heading, paragraphs }) =>
    h("section", {}, h("h3", {}, heading), paragraphs.map((each) => paragraph(each, wanted)))));
}

/** Show them in the dialog. */
export async function rules() {
  sections ??= (await request("/game/rules.json")).data;
  const input = h("input", { type: "search", id: "rules-search", placeholder: "a word, or 4.6", "aria-label": "Search in the rules",
    oninput: () => fill(input.value.trim().toLowerCase()) });
  show("Rules", [h("p", { class: "row" }, input, h("span", { id: "rules-found", class: "faint", role: "status" })),
    h("div", { id: "rules-text" })]);
  fill("");
  input.focus();
}
