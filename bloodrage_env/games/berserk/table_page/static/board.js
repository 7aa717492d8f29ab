// The board: a group for each cell, with the card there. It is drawn from the viewer's side.

import { svg } from "/render/elements.js";

const WIDTH = 110;
const HEIGHT = 74;
const GAP = 6;
const INSET = 2.5; // of a cell, so that no outline is covered by the next cell
const HOME_ROWS = 3;
const LONG = 15; // letters of a title from which on it is smaller

export class Board {
  /** `pick(cell)` is called with a cell that is lit and clicked. */
  constructor(root, texts, pick) {
    Object.assign(this, { root, texts, pick });
    const { columns, rows } = texts;
    root.setAttribute("viewBox", `0 0 ${WIDTH * columns} ${HEIGHT * rows}`);
    this.cells = texts.cells.map((_, cell) => {
      const node = svg("g", { "data-cell": cell });
      node.addEventListener("click", (event) => this.clicked(event, cell));
      node.addEventListener("keydown", (event) => event.key === "Enter" && this.clicked(event, cell));
      return node;
    });
    this.arrow = svg("g", { class: "arrow", "aria-hidden": "true" });
    root.replaceChildren(...this.cells, this.arrow);
  }

  clicked(event, cell) {
    if (!this.cells[cell].classList.contains("lit")) return;
    event.stopPropagation(); // a click on a card that can't be chosen shows it
    this.pick(cell);
  }

  // The left upper corner of a cell as it is seen.
  corner(cell, turned) {
    const shown = turned ? this.cells.length - 1 - cell : cell;
    const [column, row] = [shown % this.texts.columns, Math.floor(shown / this.texts.columns)];
    return [column * WIDTH, (this.texts.rows - 1 - row) * HEIGHT];
  }

  // Who attacks whom.
  aim({ action, cards, turned }) {
    const [from, to] = [action?.attacker, action?.attacked].map((slot) => cards.find((card) => card.slot === slot));
    this.arrow.replaceChildren();
    if (!from || !to) return;
    const [[ax, ay], [bx, by]] = [from, to].map(({ cell }) => this.corner(cell, turned).map((at, axis) => at + [WIDTH, HEIGHT][axis] / 2));
    const far = Math.hypot(bx - ax, by - ay);
    const at = (length) => [ax + ((bx - ax) * length) / far, ay + ((by - ay) * length) / far];
    const [start, end] = [at(24), at(far - 34)];
    const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
    this.arrow.append(svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
      svg("path", { d: "M0 -8 L16 0 L0 8 z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` }));
  }

  draw(scene) {
    this.aim(scene);
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
        svg("rect", { class: y >= (this.texts.rows - HOME_ROWS) * HEIGHT ? "cell near" : "cell", x: INSET, y: INSET, width: WIDTH - 2 * INSET, height: HEIGHT - 2 * INSET }),
        svg("text", { class: "where", x: 5, y: HEIGHT - 5 }, this.texts.cells[cell]),
        ...(burns ? [svg("circle", { class: "fire", cx: WIDTH / 2, cy: HEIGHT / 2, r: 12 }), svg("text", { class: "burns", x: WIDTH / 2, y: HEIGHT / 2 + 4, "text-anchor": "middle" }, `${burns}`)] : []),
        ...(card ? [this.card(card)] : []),
      );
    });
  }

  card({ card, seat, name, down, closed, stunned, life, whole, says }) {
    const words = [stunned ? "stunned" : closed ? "closed" : "", down ? "face down" : ""].filter(Boolean).join(", ");
    const line = (y, text, more = "") => svg("text", { class: more, x: WIDTH / 2, y, "text-anchor": "middle" }, text);
    const face = card === null ? null : this.texts.faces[card];
    return svg("g", { class: `card of-${seat} ${closed ? "closed" : ""} ${down ? "down" : ""}` },
      svg("rect", { x: GAP / 2, y: GAP / 2, width: WIDTH - GAP, height: HEIGHT - GAP, rx: 6 }),
      line(17, face ? face.title : name, face?.title.length > LONG ? "long" : ""),
      face ? line(34, `${life}/${whole}`, "life") : null,
      face ? line(47, `strike ${face.strike.join("-")}`, "small") : null,
      line(58, words, face ? "small" : ""),
      face ? line(67, says.join(", "), "small") : null);
  }

  says({ card, name, seat, down, closed, stunned, life, whole, says, notes }) {
    const owner = this.texts.clans[seat];
    if (card === null) return `a face-down card (${name}) of ${owner}`;
    const more = [...says, ...notes, closed && !stunned && "closed", stunned && "stunned", down && "face down"].filter(Boolean);
    return [`${this.texts.faces[card].title} (${name}) of ${owner}`, `life ${life} of ${whole}`, ...more].join(", ");
  }

  /** Which cells can be clicked, and which are picked. */
  light(open, picked) {
    this.cells.forEach((node, cell) => {
      const can = open.has(cell);
      node.classList.toggle("lit", can);
      node.classList.toggle("picked", picked.has(cell));
      node.setAttribute("role", can ? "button" : "img");
      if (can) node.setAttribute("tabindex", 0);
      else node.removeAttribute("tabindex");
    });
  }

  point(cell) {
    this.cells.forEach((node, number) => node.classList.toggle("pointed", number === cell));
  }
}
