// The rules of the game, to read and to search in: first in short, with pictures, then paragraph by paragraph.

import { show } from "./dialogs.js";
import { byId, h, request } from "./dom.js";

const EDITIONS = "(The editions differ:"; // begins what only those want to know who compare rulebooks

let sections = null; // as docs/rules_data.py makes them
let primer = null; // the rules in short

/** Fetch them: {sections, primer}. What is said of the rules themselves comes last. */
export async function loadRules() {
  if (!sections) {
    const [[about, ...rest], { data }] = [(await request("game/rules.json")).data, await request("game/primer.json")];
    sections = [...rest, { ...about, heading: "About these rules", level: 2 }];
    primer = data;
  }
  return { sections, primer };
}

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

function text(content, wanted) {
  const at = content.indexOf(EDITIONS);
  if (at < 0) return h("p", {}, marked(content, wanted));
  const folded = h("details", { class: "editions", open: Boolean(wanted) }, h("summary", {}, "Where the editions differ"), h("p", {}, marked(content.slice(at + 1), wanted)));
  return h("div", { class: "with-editions" }, h("p", {}, marked(content.slice(0, at).trim(), wanted)), folded);
}

function part(content, wanted) {
  if (content.items) return h("ul", {}, content.items.map((item) => h("li", {}, marked(item, wanted))));
  if (!content.rows) return text(content, wanted);
  const row = (cells, tag) => h("tr", {}, cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, marked(cell, wanted))));
  const table = h("table", {}, h("thead", {}, row(content.rows[0], "th")), h("tbody", {}, content.rows.slice(1).map((cells) => row(cells, "td"))));
  return h("div", { class: "scrolled", tabindex: 0, role: "region", "aria-label": "Table" }, table); // by keys too
}

function paragraph({ number, parts }, wanted) {
  return h("div", { class: "paragraph" }, number ? h("b", {}, `${number} `) : null, parts.map((each) => part(each, wanted)));
}

/** Whether a paragraph has a text in it, or its number begins so; `wanted` is in small letters. */
export function has({ number, parts }, wanted) {
  return number.startsWith(wanted) || JSON.stringify(parts).toLowerCase().includes(wanted);
}

/** The sections with a text in them, as elements with ids; `wanted` is in small letters, "" for all. */
export function rulesParts(wanted) {
  return sections.flatMap(({ heading, level, paragraphs }, number) => {
    const found = paragraphs.filter((each) => has(each, wanted));
    if (!found.length && (wanted || level > 2)) return [];
    const all = found.map((each) => paragraph(each, wanted));
    return [h("section", { id: `rules-${number}` }, h(level > 2 ? "h4" : "h3", {}, heading), all)];
  });
}

/** The rules in short; `picture(name)` gives an element for the picture of this name. */
export function primerParts(picture) {
  return primer.map(({ title, text: words, picture: name }) =>
    h("section", { class: "primer" }, h("h3", {}, title), name ? picture(name) : null, words.map((each) => h("p", {}, each))));
}

/** A list of what there is: buttons that show a section, by `to(element)`. */
export function contents(root, to) {
  const heads = [...root.querySelectorAll("section[id] > h2, h3")];
  return h("nav", { class: "contents", "aria-label": "Contents" }, h("ol", {}, heads.map((head) =>
    h("li", { class: head.tagName === "H2" ? "chief" : "" }, h("button", { type: "button", onclick: () => to(head) }, head.textContent)))));
}

function fill(wanted, picture) {
  const parts = rulesParts(wanted);
  const count = parts.reduce((sum, each) => sum + each.querySelectorAll(".paragraph").length, 0);
  byId("rules-found").textContent = wanted ? `${count} ${count === 1 ? "paragraph" : "paragraphs"}` : "";
  byId("rules-text").replaceChildren(...(wanted ? [] : primerParts(picture)), ...parts);
  byId("rules-contents").replaceChildren(...(wanted ? [] : [contents(byId("rules-text"), (head) => head.scrollIntoView())]));
}

/** Show them in the dialog, which opens at once and is filled when they have arrived; `picture` as in `primerParts`. */
export async function rules(picture) {
  const input = h("input", { type: "search", id: "rules-search", placeholder: "a word, or 4.6", "aria-label": "Search in the rules", disabled: true,
    oninput: () => fill(input.value.trim().toLowerCase(), picture) });
  const text = h("div", { id: "rules-text" }, "The rules are loading.");
  show("Rules", [h("p", { class: "row" }, input, h("span", { id: "rules-found", class: "faint", role: "status" })),
    h("div", { id: "rules-contents" }), text]);
  try {
    await loadRules();
  } catch (error) {
    text.textContent = `The rules could not be loaded: ${error.message}. Close this and try again.`;
    return;
  }
  if (!input.isConnected) return; // the dialog shows something else by now
  input.disabled = false;
  fill("", picture);
  input.focus();
}
