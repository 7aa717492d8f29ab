// A card as it lies on the board: a drawing of about WIDTH by HEIGHT, and its icons.

import { svg } from "../render/elements.js";

export const WIDTH = 150;
export const HEIGHT = 106;
const EDGE = 4; // between a card and its cell
const HEAD = 25; // height of the band with the title
const BAR = 13; // ... and of the life
const ROOM = 128; // width of a title that has no need to be narrower
const LETTER = 7.6; // width of a letter of a title
const FORCES = ["weak", "medium", "strong"];
const MOST_ICONS = 5;
const SHORT_ROOM = 134; // ... where the card is small
const ART = { x: 90, y: 73, width: 54, height: 28 }; // where up to ART_ICONS icons leave room for the picture
const ART_ICONS = 3;
const NARROW_LETTERS = 12; // of a line of a title on a narrow card
const NARROW_SIZE = 12.5;
const TWO_LINES = 100; // height of a narrow card with room for them
const DIE = 34;
const PIPS = [[[1, 1]], [[0, 0], [2, 2]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [2, 0], [0, 2], [2, 2]], [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]], [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]]]; // columns and rows
const MOVES = "movement "; // how what is left of it begins in words

// All of them in a square from -10 to 10.
const ICONS = {
  sword: "M8 -9L-3 4L-1 6L10 -7ZM-6 2L0 8L-3 8L-6 5L-9 9L-10 8L-7 4Z",
  bow: "M-5 -9Q9 0 -5 9L-5 6Q4 0 -5 -6ZM-9 -1H5V-3L10 0L5 3V1H-9Z",
  axe: "M-8 9L3 -7L5 -5L-6 10ZM2 -9Q9 -9 10 -1Q6 0 3 -3Z",
  bolt: "M2 -10L-7 2H-1L-3 10L7 -3H1Z",
  across: "M-10 0L-5 -5V-2H5V-5L10 0L5 5V2H-5V5Z",
  star: "M0 -10L2.6 -3.2L10 -3.2L4 1.4L6.2 9L0 4.6L-6.2 9L-4 1.4L-10 -3.2L-2.6 -3.2Z",
  cross: "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z",
  fire: "M0 -10Q8 -2 6 4Q4 10 0 10Q-6 10 -6 4Q-6 0 -2 -3Q-2 1 1 1Q3 -4 0 -10Z",
  coin: "M0 -9Q9 -9 9 0Q9 9 0 9Q-9 9 -9 0Q-9 -9 0 -9ZM0 -5Q-5 -5 -5 0Q-5 5 0 5Q5 5 5 0Q5 -5 0 -5Z",
  arrow: "M-10 -3H2V-9L10 0L2 9V3H-10Z",
  shield: "M-8 -9H8V0Q8 7 0 10Q-8 7 -8 0Z",
  ward: "M0 -10Q10 -10 10 0Q10 10 0 10Q-10 10 -10 0Q-10 -10 0 -10ZM0 -6Q-6 -6 -6 0Q-6 6 0 6Q6 6 6 0Q6 -6 0 -6ZM-2 -4H2V4H-2Z",
  pair: "M-9 -8H-1V1Q-1 6 -5 8Q-9 6 -9 1ZM1 -8H9V1Q9 6 5 8Q1 6 1 1Z",
  eye: "M-10 0Q0 -10 10 0Q0 10 -10 0ZM0 -4Q-4 -4 -4 0Q-4 4 0 4Q4 4 4 0Q4 -4 0 -4Z",
  wing: "M-10 3Q-6 -9 10 -9Q8 -4 3 -3Q7 -2 5 1Q2 1 0 1Q2 4 -1 6Q-3 4 -4 4Q-6 8 -10 9Z",
  boot: "M-6 -9H1V2L9 5V9H-6Z",
  skull: "M0 -10Q9 -10 9 -2Q9 3 5 4V9H-5V4Q-9 3 -9 -2Q-9 -10 0 -10ZM-4 -5A2.6 2.6 0 1 0 -4 .4A2.6 2.6 0 1 0 -4 -5ZM4 -5A2.6 2.6 0 1 0 4 .4A2.6 2.6 0 1 0 4 -5ZM-1 1H1V3.6H-1Z",
  drop: "M0 -10Q8 1 6 5Q4 10 0 10Q-4 10 -6 5Q-8 1 0 -10Z",
};
// The icon of an ability or a keyword, by how it begins in words.
const BEGINS = [
  ["simple strike", "sword"],
  ["shot", "bow"], ["throw", "axe"], ["discharge", "bolt"], ["strike across", "across"], ["special strike", "sword"], ["magic strike", "star"],
  ["spell", "star"], ["heal", "cross"], ["light a bonfire", "fire"], ["gain a token", "coin"], ["gain directed", "arrow"],
  ["armour", "shield"], ["directed", "arrow"], ["attack experience", "sword"], ["defence experience", "shield"], ["regeneration", "cross"],
  ["formation", "pair"], ["protection", "ward"], ["flyer", "wing"],
];

export const iconOf = (words) => BEGINS.find(([begin]) => words.startsWith(begin))?.[1] ?? "star";

/** An icon about a point, with what it means as its tooltip. */
export function icon(name, x, y, scale, title = "", more = "") {
  return svg("g", { class: `icon ${more}`, transform: `translate(${x} ${y}) scale(${scale})` }, title ? svg("title", {}, title) : null, svg("path", { d: ICONS[name] }));
}

const SHIELDS = ["sword", "axe", "bow", "star"]; // by seat

/** The shield of a side: its colour and a weapon. */
export function shield(seat, size) {
  return svg("svg", { class: `shield ink-${seat}`, viewBox: "-14 -15 28 31", width: size, height: 1.1 * size, "aria-hidden": "true" },
    svg("path", { class: "field", d: "M-12 -13Q0 -9 12 -13V0Q11 10 0 15Q-11 10 -12 0Z" }), svg("path", { class: "device", d: ICONS[SHIELDS[seat]], transform: "translate(0 -1) scale(.8)" }));
}

// What a card can do: its tap abilities, then its keywords, each as [icon, number, words]; the last one stands for the rest.
function abilities({ taps, keywords, text }) {
  const found = [...taps.map((tap) => [iconOf(tap), tap.match(/\d+(-\d+)*/)?.[0] ?? "", `Tap: ${tap}`]),
    ...keywords.map((word) => [iconOf(word), word.match(/\d+$/)?.[0] ?? "", word])];
  if (!found.length && text) found.push(["star", "", text]);
  return found.length > MOST_ICONS ? [...found.slice(0, MOST_ICONS - 1), ["star", `+${found.length - MOST_ICONS + 1}`, found.slice(MOST_ICONS - 1).map(([, , words]) => words).join(", ")]] : found;
}

function title(words, size) {
  const wide = words.length * LETTER * (size / 13);
  return svg("text", { class: "title", x: 10, y: EDGE + 17, "font-size": size, ...(wide > ROOM - 22 ? { textLength: ROOM - 22, lengthAdjust: "spacingAndGlyphs" } : {}) }, words);
}

function life(left, whole) {
  const [x, y, width] = [10, EDGE + HEAD + 3, WIDTH - 20];
  return [
    svg("rect", { class: "lost", x, y, width, height: BAR, rx: BAR / 2 }),
    svg("rect", { class: "still", x, y, width: Math.max(BAR, (width * left) / whole), height: BAR, rx: BAR / 2 }),
    svg("text", { class: "life", x: WIDTH / 2, y: y + 10.5, "text-anchor": "middle", "font-size": 11.5 }, `${left} / ${whole}`),
  ];
}

function strike(numbers) {
  const y = EDGE + HEAD + BAR + 8;
  return [icon("sword", 17, y + 11, 0.8, "simple strike: weak, medium, strong"), ...numbers.flatMap((number, force) => [
    svg("rect", { class: `force ${FORCES[force]}`, x: 29 + 27 * force, y, width: 24, height: 21, rx: 4 }, svg("title", {}, `${FORCES[force]} strike: ${number}`)),
    svg("text", { class: "number", x: 41 + 27 * force, y: y + 15.5, "text-anchor": "middle", "font-size": 14 }, `${number}`)])];
}

function moves(number, printed) {
  const y = EDGE + HEAD + BAR + 19;
  return [icon("boot", 122, y, 0.78, number === printed ? `movement ${number}` : `movement ${printed}, ${number} left`), svg("text", { class: "number dark", x: 133, y: y + 5, "font-size": 14 }, `${number}`)];
}

function price({ elite, cost }) {
  if (cost === null) return null; // it is in no deck
  return svg("g", { class: elite ? "cost gold" : "cost silver" }, svg("title", {}, elite ? `${cost} gold` : `${cost} gold or silver`),
    svg("path", { d: `M${WIDTH - 17} 3l10 6l-3 15h-14l-3 -15Z` }), svg("text", { x: WIDTH - 17, y: 19, "text-anchor": "middle", "font-size": 12 }, `${cost}`));
}

// States that are not to be missed, as words on a ribbon along the lower edge, where it covers no number.
function ribbon(words) {
  if (!words) return null;
  const width = 16 + 6.9 * words.length;
  return svg("g", { class: "ribbon" }, svg("rect", { x: WIDTH - width - 3, y: HEIGHT - 15, width, height: 14, rx: 5 }),
    svg("text", { x: WIDTH - width / 2 - 3, y: HEIGHT - 4, "text-anchor": "middle", "font-size": 11.5 }, words));
}

/** What a card can't do now, and whether it lies face down, in words. */
export const stateOf = ({ closed, stunned, down }) => [stunned ? "stunned" : closed ? "closed" : "", down ? "face down" : ""].filter(Boolean).join(", ");

// The movement that is left in a fight, or that is printed, and what else is said of a card.
function told({ movement }, says, fights) {
  const steps = says.find((each) => each.startsWith(MOVES));
  return [fights ? Number(steps?.slice(MOVES.length) ?? 0) : movement, says.filter((each) => each !== steps)];
}

/** A card that is seen: `face` of texts, and how it stands. */
export function front(face, card, fights) {
  const { life: left, whole } = card;
  const [movement, more] = told(face, card.says, fights);
  const row = EDGE + HEAD + BAR + 43;
  const icons = abilities(face).flatMap(([name, number, words], place) => [icon(name, 18 + 26 * place, row, 0.78, words, "ability"),
    number && number.length < 3 ? svg("text", { class: "small", x: 27 + 26 * place, y: row + 9, "font-size": 11 }, number) : null]);
  return [
    svg("rect", { class: "paper", x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE, rx: 8 }),
    svg("path", { class: `band ${face.element}`, d: `M${EDGE} ${EDGE + HEAD}V${EDGE + 8}q0 -8 8 -8H${WIDTH - EDGE - 8}q8 0 8 8V${EDGE + HEAD}Z` }),
    title(face.title, 13), price(face), ...life(left, whole), ...strike(face.strike), ...moves(movement, face.movement), ...(more.length ? icons.slice(0, 2) : icons),
    more.length || abilities(face).length > ART_ICONS ? null : svg("svg", { ...ART, class: "art" }, svg("use", { href: `#art-${face.card}` })),
    more.length ? svg("text", { class: "says", x: WIDTH - 10, y: row + 1.5, "text-anchor": "end", "font-size": 11 }, more.join(", ")) : null,
    ribbon(stateOf(card)),
  ];
}

/** A die that lies open, about a point, and what it says. */
export function dieFace(x, y, kind, die, says = "") {
  const pips = PIPS[die - 1].map(([column, row]) => svg("circle", { cx: (column - 1) * 9, cy: (row - 1) * 9, r: 3.4 }));
  return svg("g", { class: `rolled ${kind}`, transform: `translate(${x} ${y})` },
    svg("g", { class: "face" }, svg("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 7 }), ...pips),
    says ? svg("text", { y: kind === "black" ? DIE / 2 + 15 : -DIE / 2 - 6, "text-anchor": "middle", "font-size": 13 }, says) : null);
}

/** A card that is dead, small: its name, its strike, and what killed it. */
export function fallen(face, killed) {
  return svg("svg", { class: "drawn fallen", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("rect", { class: "paper", x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE, rx: 8 }), ...shortBand(face, 24),
    icon(killed ? "skull" : "drop", 34, 70, 2.2, "", killed ? "killed" : "withered"),
    svg("text", { class: "number dark", x: 98, y: 79, "text-anchor": "middle", "font-size": 25 }, face.strike.join("-")));
}

// A band with as much of a title as can be read where the card is small.
function shortBand(face, size) {
  const [name] = face.title.length > 9 ? face.title.split(" ") : [face.title];
  const wide = name.length * LETTER * (size / 13);
  return [svg("path", { class: `band ${face.element}`, d: `M${EDGE} 34V${EDGE + 8}q0 -8 8 -8H${WIDTH - EDGE - 8}q8 0 8 8V34Z` }),
    svg("text", { class: "title", x: WIDTH / 2, y: 27, "text-anchor": "middle", "font-size": size, ...(wide > SHORT_ROOM ? { textLength: SHORT_ROOM, lengthAdjust: "spacingAndGlyphs" } : {}) }, name)];
}

// A text that is no wider than `room`.
function fitted(words, x, y, size, room, more, anchor = "middle") {
  const wide = words.length * (LETTER / 13) * size;
  return svg("text", { class: more, x, y, "text-anchor": anchor, "font-size": size, ...(wide > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {}) }, words);
}

// A title in lines of at most NARROW_LETTERS letters, if words are no longer.
function titleLines(words) {
  const lines = [];
  for (const word of words.split(" ")) {
    if (lines.length && lines.at(-1).length + word.length < NARROW_LETTERS) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}

/** The same where a card is narrower than high: its letters have the same size, and what the height has no room for is not drawn. */
export function frontNarrow(face, card, fights, { width, height }) {
  const [movement, more] = told(face, card.says, fights);
  const words = [stateOf(card), ...more].filter(Boolean).join(", ");
  const right = width - EDGE;
  const lines = height < TWO_LINES ? [face.title] : titleLines(face.title);
  const head = height < TWO_LINES ? 20 : 31;
  const [bar, numbers] = [EDGE + head + 2, EDGE + head + 18];
  const rest = numbers + 20; // where what depends on the height begins
  const icons = abilities(face).slice(0, words ? MOST_ICONS : 2);
  const low = height - EDGE - (words ? 17 : 2);
  const middle = (rest + low) / 2;
  return [
    svg("rect", { class: "paper", x: EDGE, y: EDGE, width: right - EDGE, height: height - 2 * EDGE, rx: 8 }),
    svg("path", { class: `band ${face.element}`, d: `M${EDGE} ${EDGE + head}V${EDGE + 8}q0 -8 8 -8H${right - 8}q8 0 8 8V${EDGE + head}Z` }),
    ...lines.map((line, number) => fitted(line, width / 2, EDGE + head / 2 + 4.5 + 14 * (number - (lines.length - 1) / 2), NARROW_SIZE, width - 14, "title")),
    svg("rect", { class: "lost", x: 7, y: bar, width: width - 14, height: 14, rx: 7 }), svg("rect", { class: "still", x: 7, y: bar, width: Math.max(14, ((width - 14) * card.life) / card.whole), height: 14, rx: 7 }),
    svg("text", { class: "life", x: width / 2, y: bar + 11.5, "text-anchor": "middle", "font-size": NARROW_SIZE }, `${card.life} / ${card.whole}`),
    ...face.strike.flatMap((number, force) => [svg("rect", { class: `force ${FORCES[force]}`, x: 6 + 19 * force, y: numbers, width: 17, height: 18, rx: 4 }, svg("title", {}, `${FORCES[force]} strike: ${number}`)),
      svg("text", { class: "number", x: 14.5 + 19 * force, y: numbers + 13.5, "text-anchor": "middle", "font-size": 13 }, `${number}`)]),
    icon("boot", 69, numbers + 9, 0.6, movement === face.movement ? `movement ${movement}` : `movement ${face.movement}, ${movement} left`), svg("text", { class: "number dark", x: 77, y: numbers + 13.5, "font-size": 13 }, `${movement}`),
    ...(low - rest < 12 ? [] : icons.map(([name, , said], place) => icon(name, 15 + 16 * place, middle, 0.62, said, "ability"))),
    words || low - rest < 20 || abilities(face).length > 2 ? null : svg("svg", { x: 42, y: rest, width: right - 46, height: low - rest, class: "art" }, svg("use", { href: `#art-${face.card}` })),
    words ? svg("g", { class: "ribbon" }, svg("rect", { x: 6, y: low, width: width - 12, height: 16, rx: 5 }), fitted(words, width / 2, low + 12.5, NARROW_SIZE, width - 18, "")) : null,
  ];
}

/** The same for a phone, where a cell is as wide as a thumb: a name, the life and the strike. */
export function frontInShort(face, card) {
  const { life: left, whole } = card;
  return [
    svg("rect", { class: "paper", x: EDGE, y: EDGE, width: WIDTH - 2 * EDGE, height: HEIGHT - 2 * EDGE, rx: 8 }),
    ...shortBand(face, 22),
    svg("text", { class: "number dark", x: WIDTH / 2, y: 63, "text-anchor": "middle", "font-size": 27 }, `${left}/${whole}`),
    svg("text", { class: "number dark", x: WIDTH / 2, y: 93, "text-anchor": "middle", "font-size": 24 }, stateOf(card) || face.strike.join("-")),
  ];
}

/** A card that the viewer does not see. */
export function back(name, compact, { width, height }) {
  const columns = Math.floor((width - 10) / 35);
  const left = (width - 35 * (columns - 1)) / 2;
  const diamonds = Array.from({ length: 3 * columns }, (_, number) => [left + 35 * (number % columns), height / 2 + 30 * (Math.floor(number / columns) - 1)])
    .map(([x, y]) => `M${x} ${y - 11}l9 11l-9 11l-9 -11Z`).join("");
  return [svg("rect", { class: "paper back", x: EDGE, y: EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE, rx: 8 }), svg("path", { class: "pattern", d: diamonds }),
    svg("text", { class: "back-name", x: width / 2, y: height / 2 + 6, "text-anchor": "middle", "font-size": compact ? 24 : 15 }, name)];
}

/** Faces by the id of their card: not every id is that of one. */
export function byCard(faces) {
  const found = [];
  for (const face of faces) found[face.card] = face;
  return found;
}
