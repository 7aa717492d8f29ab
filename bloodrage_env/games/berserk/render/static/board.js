// The board: a group for each cell, with the card there. It is drawn from the viewer's side. Flyers have cells of their own, whose numbers
// follow those of the board; they are drawn as strips beyond the rows of their side.

import { svg } from "../render/elements.js";
import { back, dieFace, front, frontInShort, HEIGHT, icon, WIDTH } from "./face.js";

const INSET = 2.5; // of a cell, so that no outline is covered by the next cell
const HOME_ROWS = 3;
const DIE_STEP = 42; // from one die to the next one
export const SHORT = matchMedia("(max-width: 560px)"); // where letters of a card would be too small

export class Board {
  /** `pick(cell)` is called with a cell that is lit and clicked. */
  constructor(root, texts, pick) {
    Object.assign(this, { root, texts, pick });
    const { columns, rows } = texts;
    root.setAttribute("viewBox", `0 0 ${WIDTH * columns} ${HEIGHT * rows}`);
    root.classList.add("drawn");
    root.classList.toggle("wide", columns > rows);
    this.cells = texts.cells.map((_, cell) => this.node(cell));
    this.flying = new Map(); // the nodes of flyers, by their cells
    this.zones = svg("g", { class: "zones" });
    this.arrow = svg("g", { class: "arrow", "aria-hidden": "true" });
    this.trail = svg("g", { class: "trail", "aria-hidden": "true" });
    root.replaceChildren(...this.cells, this.zones, this.trail, this.arrow);
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
    return [column * WIDTH, (this.texts.rows - 1 - row) * HEIGHT];
  }

  /** The middle of a cell as it is seen. */
  centre(cell, turned) {
    const [x, y] = this.corner(cell, turned);
    return [x + WIDTH / 2, y + HEIGHT / 2];
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
    const drawn = dice.map(([kind, die, says], number) => dieFace(x + DIE_STEP * (number - (dice.length - 1) / 2), y, kind, die, says));
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
  arrange({ cards, near }) {
    const { columns, rows, teams } = this.texts;
    const flyers = cards.filter(({ cell }) => cell >= this.cells.length);
    const isNear = ({ seat }) => (seat - near) % teams === 0;
    const [above, below] = [flyers.filter((card) => !isNear(card)), flyers.filter(isNear)];
    const strips = (found) => Math.ceil(found.length / columns);
    const place = (found, first) => found.map(({ cell }, number) => [cell, [(number % columns) * WIDTH, (first + Math.floor(number / columns)) * HEIGHT]]);
    this.places = new Map([...place(above, -strips(above)), ...place(below, rows)]);
    for (const cell of this.places.keys()) if (!this.flying.has(cell)) this.flying.set(cell, this.node(cell));
    for (const cell of this.flying.keys()) if (!this.places.has(cell)) this.flying.delete(cell);
    const rowsOf = (found, first) => Array.from({ length: strips(found) }, (_, number) => svg("rect", { class: "strip", x: 0, y: (first + number) * HEIGHT, width: WIDTH * columns, height: HEIGHT }));
    this.zones.replaceChildren(...rowsOf(above, -strips(above)), ...rowsOf(below, rows), ...this.flying.values());
    this.root.setAttribute("viewBox", `0 ${-strips(above) * HEIGHT} ${WIDTH * columns} ${HEIGHT * (rows + strips(above) + strips(below))}`);
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
      node.replaceChildren(svg("title", {}, said), svg("rect", { class: "cell air", x: INSET, y: INSET, width: WIDTH - 2 * INSET, height: HEIGHT - 2 * INSET }), this.card(card));
    });
    this.cells.forEach((node, cell) => {
      const [x, y] = this.corner(cell, scene.turned);
      const card = scene.cards.find((each) => each.cell === cell);
      const [, burns] = scene.fires.find(([where]) => where === cell) ?? [];
      const said = `${this.texts.cells[cell]}${card ? `: ${this.says(card)}` : ""}${burns ? `: bonfire, turns left: ${burns}` : ""}`;
      node.setAttribute("transform", `translate(${x} ${y})`);
      node.setAttribute("aria-label", said);
      if (card && card.card !== null) Object.assign(node.dataset, { card: card.card, slot: card.slot });
      else for (const name of ["card", "slot"]) delete node.dataset[name];
      node.replaceChildren(
        svg("title", {}, said),
        svg("rect", { class: (scene.home ? scene.home.includes(cell) : y >= (this.texts.rows - HOME_ROWS) * HEIGHT) ? "cell near" : "cell", x: INSET, y: INSET, width: WIDTH - 2 * INSET, height: HEIGHT - 2 * INSET }),
        svg("text", { class: "where", x: 9, y: HEIGHT - 10 }, this.texts.cells[cell]),
        ...(burns ? [svg("circle", { class: "fire", cx: WIDTH / 2, cy: HEIGHT / 2, r: 20 }), svg("text", { class: "burns", x: WIDTH / 2, y: HEIGHT / 2 + 6, "text-anchor": "middle" }, `${burns}`)] : []),
        ...(card ? [this.card(card)] : []),
      );
    });
  }

  card(card) {
    const { seat, name, closed, down } = card;
    const face = card.card === null ? null : this.texts.faces[card.card];
    const drawn = face ? (SHORT.matches ? frontInShort : front)(face, card, this.fights) : back(name, SHORT.matches);
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
