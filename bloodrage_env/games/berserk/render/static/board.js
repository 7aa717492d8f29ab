// The board: a group for each cell, with the card there. It is drawn from the viewer's side. Flyers have cells of their own, whose numbers
// follow those of the board; they are drawn as strips beyond the rows of their side.

import { svg } from "../render/elements.js";
import { back, dieFace, front, frontInShort, frontNarrow, HEIGHT, icon, shield, WIDTH } from "./face.js";

const INSET = 2.5; // of a cell, so that no outline is covered by the next cell
const NARROW = 92; // width of a cell of a board with more columns than rows ...
const ROOM = 656; // ... and the height that its rows share
const BAND = 26; // ... with the names of the players above and below them
const DIE_STEP = 42; // from one die to the next one
export const SHORT = matchMedia("(max-width: 560px)"); // where letters of a card would be too small
const isShort = () => SHORT.matches && !document.body.classList.contains("enlarged");

export class Board {
  /** `pick(cell)` is called with a cell that is lit and clicked. */
  constructor(root, texts, pick) {
    Object.assign(this, { root, texts, pick, wide: texts.columns > texts.rows });
    root.classList.add("drawn");
    root.classList.toggle("wide", this.wide);
    this.cells = texts.cells.map((_, cell) => this.node(cell));
    this.flying = new Map(); // the nodes of flyers, by their cells
    this.zones = svg("g", { class: "zones" });
    this.bands = svg("g", { class: "bands", "aria-hidden": "true" });
    this.arrow = svg("g", { class: "arrow", "aria-hidden": "true" });
    this.trail = svg("g", { class: "trail", "aria-hidden": "true" });
    root.replaceChildren(...this.cells, this.zones, this.bands, this.trail, this.arrow);
  }

  node(cell) {
    const node = svg("g", { "data-cell": cell });
    node.addEventListener("click", (event) => this.clicked(event, cell));
    node.addEventListener("keydown", (event) => event.key === "Enter" && this.clicked(event, cell));
    return node;
  }

  at(cell) {
    return this.cells[cell] ?? this.flying.get(cell);
  }

  clicked(event, cell) {
    const node = this.at(cell);
    event.preventDefault(); // a key would also press the button of what is opened
    if (!node.classList.contains("lit")) {
      if (event.type === "keydown") node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    event.stopPropagation(); // a click on a card that can't be chosen shows it
    this.pick(cell);
  }

  // The left upper corner of a cell as it is seen.
  corner(cell, turned) {
    if (cell >= this.cells.length) return this.places.get(cell);
    const shown = turned ? this.cells.length - 1 - cell : cell;
    const [column, row] = [shown % this.texts.columns, Math.floor(shown / this.texts.columns)];
    return [column * this.width, (this.texts.rows - 1 - row) * this.height];
  }

  /** The middle of a cell as it is seen. */
  centre(cell, turned) {
    const [x, y] = this.corner(cell, turned);
    return [x + this.width / 2, y + this.height / 2];
  }

  // A straight line between the middles of two cells: `at(length)`, a point of it, how `far` it goes, and its angle in degrees.
  line(from, to, turned) {
    const [[ax, ay], [bx, by]] = [from, to].map((cell) => this.centre(cell, turned));
    const far = Math.hypot(bx - ax, by - ay);
    return { far, angle: (Math.atan2(by - ay, bx - ax) * 180) / Math.PI, at: (length) => [ax + ((bx - ax) * length) / far, ay + ((by - ay) * length) / far] };
  }

  // Who attacks whom.
  aim({ action, cards, turned, dice }) {
    const [from, to] = [action?.attacker, action?.attacked].map((slot) => cards.find((card) => card.slot === slot));
    this.arrow.replaceChildren();
    if (!from || !to || from === to) return;
    const { at, far, angle } = this.line(from.cell, to.cell, turned);
    const [start, end] = [at(34), at(far - 46)];
    const [x, y] = at(far / 2);
    const short = isShort(); // then only the scene of the fight says what the dice do
    const drawn = dice.map(([kind, die, says], number) => dieFace(x + DIE_STEP * (number - (dice.length - 1) / 2), y, kind, die, short ? "" : says));
    this.arrow.append(svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
      svg("path", { d: "M0 -13 L24 0 L0 13 z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` }));
    this.arrow.append(...drawn);
  }

  /** Draw arrows for what has been done: [{kind, seat, from, to, icon}] by cells; `kind` is "step", "push" or "attack", the icon that of an attack. */
  follow(ways, turned) {
    const seen = ways.filter(({ from, to }) => this.corner(from, turned) && this.corner(to, turned)); // not of flyers that are dead
    this.trail.replaceChildren(...seen.map((way) => this.way(way, turned)));
  }

  way({ kind, seat, from, to, icon: name }, turned) {
    const { at, far, angle } = this.line(from, to, turned);
    const [start, end] = [at(30), at(far - 44)];
    const [x, y] = at(far / 2);
    return svg("g", { class: `way ${kind} edge-${seat}`, "data-from": from, "data-to": to },
      svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
      svg("path", { class: "head", d: "M0 -9 L17 0 L0 9 z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` }),
      name ? svg("g", { class: "kind" }, svg("circle", { cx: x, cy: y, r: 15 }), icon(name, x, y, 0.95)) : null);
  }

  // Where flyers are drawn: those of the side of the seat `near` below the board, the others above it.
  arrange({ cards, near, names, parts, turned }) {
    const { columns, rows, teams } = this.texts;
    const flyers = cards.filter(({ cell }) => cell >= this.cells.length);
    const isNear = ({ seat }) => (seat - near) % teams === 0;
    const [above, below] = [flyers.filter((card) => !isNear(card)), flyers.filter(isNear)];
    const strips = (found) => Math.ceil(found.length / columns);
    const shown = rows + strips(above) + strips(below);
    this.narrow = this.wide && !SHORT.matches;
    [this.width, this.height] = this.narrow ? [NARROW, ROOM / shown] : [WIDTH, HEIGHT];
    const place = (found, first) => found.map(({ cell }, number) => [cell, [(number % columns) * this.width, (first + Math.floor(number / columns)) * this.height]]);
    this.places = new Map([...place(above, -strips(above)), ...place(below, rows)]);
    for (const cell of this.places.keys()) if (!this.flying.has(cell)) this.flying.set(cell, this.node(cell));
    for (const cell of this.flying.keys()) if (!this.places.has(cell)) this.flying.delete(cell);
    const rowsOf = (found, first) => Array.from({ length: strips(found) }, (_, number) => svg("rect", { class: "strip", x: 0, y: (first + number) * this.height, width: this.width * columns, height: this.height }));
    this.zones.replaceChildren(...rowsOf(above, -strips(above)), ...rowsOf(below, rows), ...this.flying.values());
    const band = this.narrow ? BAND : 0;
    const [top, bottom] = [-strips(above), rows + strips(below)].map((row) => row * this.height);
    const name = (seat) => {
      const [x] = this.corner(parts[seat].reduce((one, other) => (this.corner(one, turned)[0] < this.corner(other, turned)[0] ? one : other)), turned);
      return svg("g", { class: `edge-${seat}`, transform: `translate(${x + 6} ${isNear({ seat }) ? bottom + 1 : top - BAND + 1})` }, shield(seat, 22), svg("text", { x: 28, y: 17, "font-size": 14 }, names[seat]));
    };
    this.bands.replaceChildren(...(this.wide ? [svg("path", { class: "between", d: `M${(this.width * columns) / 2} 0v${this.height * rows}` })] : []), ...(this.narrow && parts ? names.map((_, seat) => name(seat)) : []));
    this.root.setAttribute("viewBox", `0 ${top - band} ${this.width * columns} ${bottom - top + 2 * band}`);
  }

  draw(scene) {
    this.names = scene.names;
    this.fights = scene.phase === "battle"; // cards show the movement that is left
    this.arrange(scene);
    this.aim(scene);
    this.flying.forEach((node, cell) => {
      const card = scene.cards.find((each) => each.cell === cell);
      const said = `The additional zone: ${this.says(card)}`;
      node.setAttribute("transform", `translate(${this.places.get(cell).join(" ")})`);
      node.setAttribute("aria-label", said);
      Object.assign(node.dataset, { card: card.card, slot: card.slot });
      node.replaceChildren(svg("title", {}, said), this.ground("air"), this.card(card));
    });
    this.cells.forEach((node, cell) => {
      const [x, y] = this.corner(cell, scene.turned);
      const card = scene.cards.find((each) => each.cell === cell);
      const owner = scene.parts?.findIndex((part) => part.includes(cell));
      const [, burns] = scene.fires.find(([where]) => where === cell) ?? [];
      const said = `${this.texts.cells[cell]}${card ? `: ${this.says(card)}` : ""}${burns ? `: bonfire, turns left: ${burns}` : ""}`;
      node.setAttribute("transform", `translate(${x} ${y})`);
      node.setAttribute("aria-label", said);
      if (card && card.card !== null) Object.assign(node.dataset, { card: card.card, slot: card.slot });
      else for (const name of ["card", "slot"]) delete node.dataset[name];
      node.replaceChildren(
        svg("title", {}, said),
        this.ground(owner === undefined ? "" : `edge-${owner} ${owner === scene.near ? "near" : ""}`),
        svg("text", { class: "where", x: 9, y: this.height - 10 }, this.texts.cells[cell]),
        ...(burns ? [svg("circle", { class: "fire", cx: this.width / 2, cy: this.height / 2, r: 20 }), svg("text", { class: "burns", x: this.width / 2, y: this.height / 2 + 6, "text-anchor": "middle" }, `${burns}`)] : []),
        ...(card ? [this.card(card)] : []),
      );
    });
  }

  ground(more) {
    return svg("rect", { class: `cell ${more}`, x: INSET, y: INSET, width: this.width - 2 * INSET, height: this.height - 2 * INSET });
  }

  card(card) {
    const { seat, name, closed, down } = card;
    const face = card.card === null ? null : this.texts.faces[card.card];
    const drawn = face ? (isShort() ? frontInShort : this.narrow ? frontNarrow : front)(face, card, this.fights, this) : back(name, isShort(), this);
    return svg("g", { class: `card of-${seat} ${closed ? "closed" : ""} ${down ? "down" : ""}` }, ...drawn);
  }

  says({ card, name, seat, down, closed, stunned, life, whole, says, notes }) {
    const owner = this.names[seat];
    if (card === null) return `a face-down card (${name}) of ${owner}`;
    const more = [...says, ...notes, closed && !stunned && "closed", stunned && "stunned", down && "face down"].filter(Boolean);
    return [`${this.texts.faces[card].title} (${name}) of ${owner}`, `life ${life} of ${whole}`, ...more].join(", ");
  }

  /** Which cells can be clicked, and which are picked. */
  light(open, picked) {
    [...this.cells.entries(), ...this.flying].forEach(([cell, node]) => {
      const can = open.has(cell);
      node.classList.toggle("lit", can);
      node.classList.toggle("picked", picked.has(cell));
      const opens = can || (SHORT.matches && node.dataset.card !== undefined); // on a small screen each card has a sheet
      node.setAttribute("role", opens ? "button" : "img");
      if (opens) node.setAttribute("tabindex", 0);
      else node.removeAttribute("tabindex");
    });
  }

  point(cell) {
    [...this.cells.entries(), ...this.flying].forEach(([number, node]) => node.classList.toggle("pointed", number === cell));
  }
}
