// The board, and pictures of the rules in short: made of the drawings that the board has.

import { emblem, icon } from "../board/sheets.js";
import { svg } from "../render/elements.js";
import { h } from "../static/dom.js";

const FIGURES = [[0, "leader", "STR 3, Invades for nothing"], [1, "warrior", "STR 1"], [2, "ship", "STR 2, stays in its fjord"]];
const STATS = [["rage", "Rage", "pays for actions"], ["axes", "Axes", "glory for a won battle"], ["horns", "Horns", "figures on the board at most"]];
const TOKENS = [[0, "a step of Rage"], [1, "a step of Axes"], [2, "a step of Horns"], [3, "5 glory"], [4, "a step of each"]];

let ground = null; // the board before anything stands on it

/** Put the board in the place of an element, with all drawings. */
export async function drawBoard(place) {
  const text = await (await fetch("board/board.svg")).text();
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  drawn.setAttribute("role", "group");
  drawn.setAttribute("aria-label", "The board");
  const board = document.importNode(drawn, true);
  ground = board.cloneNode(true);
  place.replaceWith(board);
  return board;
}

const used = (href, size = 40) => svg("svg", { viewBox: "-20 -20 40 40", width: size, height: size, "aria-hidden": "true" }, svg("use", { href }));
const row = (items) => h("ul", { class: "picture" }, items.map(([drawn, ...words]) => h("li", {}, drawn, ...words)));

// The board in small: a copy without ids, so that none is there twice.
function board(label) {
  const copy = svg("svg", { class: "picture", viewBox: ground.getAttribute("viewBox"), role: "img", "aria-label": label });
  for (const part of ground.cloneNode(true).children) {
    if (part.tagName !== "defs") copy.append(part.cloneNode(true));
  }
  for (const node of copy.querySelectorAll(".ruined")) node.remove();
  for (const node of copy.querySelectorAll("[id]")) node.removeAttribute("id");
  return copy;
}

/** A picture of the rules in short, by its name in primer.json. */
export function picture(name, texts) {
  if (name === "board") return board("The board: eight provinces around Yggdrasil, and four fjords");
  if (name === "figures") return row(FIGURES.map(([kind, word, text]) => [icon(texts, 0, kind, 54), h("b", {}, word), ` ${text}`]));
  if (name === "stats") return row(STATS.map(([id, word, text]) => [used(`#icon-${id}`), h("b", {}, word), ` ${text}`]));
  if (name === "tokens") return row(TOKENS.map(([token, text]) => [used(`#token-${token}`), text]));
  if (name === "clans") return row(texts.clans.map((clan, seat) => [emblem(seat, 34), clan]));
  throw new Error(`there is no picture ${name}`);
}

/** A board that is there for its drawings and pictures alone. */
export async function drawings() {
  const root = await drawBoard(document.body.appendChild(svg("svg", {})));
  root.setAttribute("class", "unseen");
  root.setAttribute("aria-hidden", "true");
  return root;
}
