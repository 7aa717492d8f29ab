// The action of a card as a scene: who attacks, who is attacked and defends, the dice, and what comes of it.

import { dieFace, frontInShort, HEIGHT, icon, iconOf, WIDTH } from "../board/face.js";
import { counted, svg } from "../render/elements.js";
import { capital, h } from "../static/dom.js";

const WIDE = 400; // of the drawing: two cards, and between them the dice
const ABOVE = 26; // height of a line above a defender
const DICE_STEP = 40;
const AT_ONCE = "gain"; // how what needs no further answer begins in words ...
const NO_TARGET = [AT_ONCE, "light"]; // ... and what a card does for itself

const nameOf = (texts, { card, name }) => `${texts.faces[card].title} (${name})`;

// What came of an exchange, or of an action without a target, in words.
function words(texts, fight) {
  const said = fight.exchanges.flatMap(({ target, defender, result, hurt }) => [
    defender ? `${nameOf(texts, defender)} defends ${nameOf(texts, target)}` : "",
    result ? capital(result) : "",
    ...hurt.map(({ who, lost, died }) => `${nameOf(texts, who)} ${died ? "dies" : lost > 0 ? `takes ${counted(lost, "wound")}` : `heals ${-lost}`}`),
    fight.over && !hurt.length ? "nobody is wounded" : "",
  ]);
  if (fight.places.length) said.push(`a bonfire burns on ${fight.places.map((cell) => texts.cells[cell]).join(" and ")}`);
  return said.filter(Boolean).map((each) => `${capital(each)}.`).join(" ");
}

// A card of the scene, as it is after what is known so far.
function fighter(texts, { card, seat, slot, life, whole }, hurt, x, y) {
  const own = hurt.filter(({ who }) => who.slot === slot);
  const lost = own.reduce((sum, each) => sum + each.lost, 0);
  const dead = own.some(({ died }) => died);
  const left = { life: Math.max(0, life - lost), whole, closed: false, stunned: false, down: false };
  return svg("g", { class: `card of-${seat}`, transform: `translate(${x} ${y})` }, ...frontInShort(texts.faces[card], left),
    dead ? svg("path", { class: "slain", d: `M16 ${HEIGHT - 14}L${WIDTH - 16} 40M16 40L${WIDTH - 16} ${HEIGHT - 14}` }) : null,
    lost > 0 ? svg("g", { class: "wound", transform: `translate(${WIDTH - 20} ${HEIGHT - 3}) scale(0.95)` }, svg("path", { d: "M0 -21L6 -13L15 -15L14 -6L22 0L14 6L15 15L6 13L0 21L-6 13L-15 15L-14 6L-22 0L-14 -6L-15 -15L-6 -13Z" }),
      svg("text", { y: 8, "text-anchor": "middle", "font-size": 24 }, `−${lost}`)) : null);
}

function drawing(texts, fight) {
  const { attacker, text, exchanges } = fight;
  const { target, defender, dice, hurt } = exchanges[exchanges.length - 1];
  const own = target.slot === attacker.slot;
  const top = defender ? ABOVE : 0;
  const [left, right] = [0, WIDE - WIDTH];
  const [x, y] = [WIDE / 2, top + HEIGHT / 2];
  const sides = ["white", "die"].map((kind) => dice.filter(([each]) => each === kind)).flat();
  const row = (shown, at) => shown.map(([kind, die], number) => dieFace(x + DICE_STEP * (number - (shown.length - 1) / 2), at, kind, die));
  return svg("svg", { class: "drawn fight-art", viewBox: `0 0 ${WIDE} ${top + HEIGHT + 18}`, role: "img", "aria-label": `${nameOf(texts, attacker)} ${own ? "" : `against ${nameOf(texts, defender ?? target)}`}` },
    fighter(texts, attacker, hurt, left, top),
    own ? null : svg("g", { class: "aimed" }, svg("line", { x1: WIDTH + 10, y1: y, x2: right - 24, y2: y }), svg("path", { d: `M${right - 26} ${y - 12}l22 12l-22 12z` })),
    ...row(sides, y - 32), ...row(dice.filter(([kind]) => kind === "black" || kind === "block"), y + 32),
    dice.length || own ? null : icon(iconOf(text), x, y - 26, 1.7, text),
    defender ? svg("text", { class: "number dark", x: WIDE - 2, y: 18, "text-anchor": "end", "font-size": 19 }, `defends ${texts.faces[target.card].title}`) : null,
    own ? null : fighter(texts, defender ?? target, hurt, right, top));
}

/** The scene of one of the actions `seen`, by its number, with what is said of it; `go(number)` shows another one. */
export function fightScene(texts, seen, number, text, go) {
  const fight = seen[number];
  const { attacker, exchanges } = fight;
  const dice = exchanges[exchanges.length - 1]?.dice ?? [];
  const step = (to, label, name) => h("button", { type: "button", class: "small", "aria-label": name, disabled: !seen[to], onclick: () => go(to) }, label);
  return h("div", { class: "fight", role: "group", "aria-label": "The action of a card" },
    h("header", {}, h("p", {}, h("b", {}, nameOf(texts, attacker)), `: ${text}`),
      seen.length > 1 ? h("span", { class: "turns" }, step(number - 1, "◀", "The action before"), ` ${number + 1} of ${seen.length} `, step(number + 1, "▶", "The next action")) : null),
    exchanges.length && !NO_TARGET.some((begin) => text.startsWith(begin)) ? drawing(texts, fight) : null,
    dice.some(([, , says]) => says) ? h("p", { class: "dice" }, dice.filter(([, , says]) => says).map(([kind, die, says]) => h("span", {}, h("b", { class: `die ${kind}`, title: `${kind} die` }, `${die}`), ` ${says}`))) : null,
    h("p", { class: "came" }, words(texts, fight) || (text.startsWith(AT_ONCE) ? "" : "Not settled yet.")));
}
