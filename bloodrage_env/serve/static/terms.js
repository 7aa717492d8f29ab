// Terms of the game, each explained where it is pointed at, touched or reached by the keyboard.

import { h, request, withClans } from "./dom.js";

const NEAR = 8; // pixels between a term and its text

let terms = {}; // texts by term, as `terms.json` of the game has them
let pattern = null;
let tip = null;

/** Fetch the terms of the game, and explain whatever carries one from now on. */
export async function startTerms() {
  terms = (await request("game/terms.json")).data;
  const names = Object.keys(terms).sort((a, b) => b.length - a.length);
  pattern = new RegExp(`\\b(${names.map(eitherCase).join("|")})\\b`);
  tip = h("p", { id: "tip", role: "tooltip", hidden: true });
  document.body.append(tip);
  document.addEventListener("focusin", ({ target }) => show(target.closest?.("[data-term]")));
  // What the page draws under a pointer that rests is not pointed at.
  let rested = null;
  const at = ({ clientX, clientY }) => `${clientX} ${clientY}`;
  document.addEventListener("pointermove", (event) => (rested = at(event)));
  document.addEventListener("pointerover", (event) => {
    const node = event.target.closest?.("[data-term]");
    show(at(event) === rested ? null : node);
    rested = at(event);
  });
  document.addEventListener("pointerup", ({ target, pointerType }) => pointerType === "touch" && show(target.closest("[data-term], [title]:not(button, a, svg *)")));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && show(null));
  addEventListener("scroll", () => show(null), true);
  return terms;
}

// A term in small letters is also found where it begins a sentence; one with a capital, as a name, only as it is.
const eitherCase = (name) => (/^[a-z]/.test(name) ? `[${name[0].toUpperCase()}${name[0]}]${name.slice(1)}` : name);

// The term that a text is.
const termOf = (text) => (text in terms ? text : text[0].toLowerCase() + text.slice(1));

function show(node) {
  tip.hidden = !node;
  if (!node) return;
  (node.closest("dialog") ?? document.body).append(tip); // a dialog lies over all else
  const zoom = tip.currentCSSZoom ?? 1;
  tip.textContent = terms[node.dataset.term] ?? node.title;
  const [at, own] = [node.getBoundingClientRect(), tip.getBoundingClientRect()];
  const above = at.top - own.height - NEAR;
  tip.style.left = `${Math.max(4, Math.min(at.left, innerWidth - own.width - 4)) / zoom}px`;
  tip.style.top = `${(above > 0 ? above : at.bottom + NEAR) / zoom}px`;
}

/** A word that stands for a term. With `reached` it can be reached by the keyboard. */
export function term(name, text = name, reached = true) {
  return h("span", { class: "term", "data-term": name, tabindex: reached ? 0 : null, "aria-describedby": "tip" }, text);
}

/** Texts and elements in whose texts terms are explained where the pointer is, without a line below them. */
export function explained(nodes) {
  return nodes.flatMap((node) => (typeof node !== "string" || !pattern ? [node] : node.split(pattern).map((part, number) => (number % 2 ? h("span", { "data-term": termOf(part) }, part) : part))));
}

/** A text in which clans have their colours, and each term is explained where it comes first. */
export function withTerms(text, texts) {
  const used = new Set();
  return (pattern ? text.split(pattern) : [text]).flatMap((part, number) => {
    if (number % 2 === 0) return withClans(part, texts);
    const name = termOf(part);
    if (used.has(name)) return [part];
    used.add(name);
    return [term(name, part)];
  });
}
