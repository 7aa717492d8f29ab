// The board: a cell a group, and the card that lies there. It is drawn from the side of the player who looks.

import { svg } from "/board/elements.js";

const WIDTH = 110;
const HEIGHT = 74;
const GAP = 6;
const HOME_ROWS = 3;

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
    root.replaceChildren(...this.cells);
  }

  clicked(event, cell) {
    if (!this.cells[cell].classList.contains("lit")) return;
    event.stopPropagation(); // a click on a card that can't be chosen shows it
    this.pick(cell);
  }

  draw(scene) {
    this.cells.forEach((node, cell) => {
      const shown = scene.turned ? this.cells.length - 1 - cell : cell;
      const [column, row] = [shown % this.texts.columns, Math.floor(shown / this.texts.columns)];
      const card = scene.cards.find((each) => each.cell === cell);
      const said = `${this.texts.cells[cell]}${card ? `: ${this.says(card)}` : ""}${scene.fires.includes(cell) ? ": bonfire" : ""}`;
      node.setAttribute("transform", `translate(${column * WIDTH} ${(this.texts.rows - 1 - row) * HEIGHT})`);
      node.setAttribute("aria-label", said);
      if (card && card.card !== null) node.dataset.card = card.card;
      else delete node.dataset.card;
      node.replaceChildren(
        svg("title", {}, said),
        svg("rect", { class: row < HOME_ROWS ? "cell near" : "cell", width: WIDTH, height: HEIGHT }),
        svg("text", { class: "where", x: 5, y: HEIGHT - 5 }, this.texts.cells[cell]),
        ...(scene.fires.includes(cell) ? [svg("circle", { class: "fire", cx: WIDTH / 2, cy: HEIGHT / 2, r: 12 })] : []),
        ...(card ? [this.card(card)] : []),
      );
    });
  }

  card({ card, seat, name, down, closed, stunned, life, whole, says }) {
    const words = [stunned ? "stunned" : closed ? "closed" : "", down ? "face down" : ""].filter(Boolean).join(", ");
    const line = (y, text, more = "") => svg("text", { class: more, x: WIDTH / 2, y, "text-anchor": "middle" }, text);
    return svg("g", { class: `card of-${seat} ${closed ? "closed" : ""} ${down ? "down" : ""}` },
      svg("rect", { x: GAP / 2, y: GAP / 2, width: WIDTH - GAP, height: HEIGHT - GAP, rx: 6 }),
      line(20, card === null ? name : this.texts.faces[card].title),
      card === null ? null : line(38, `${life}/${whole}`, "life"),
      line(52, words),
      card === null ? null : line(65, says.join(", "), "small"));
  }

  says({ card, name, seat, down, closed, stunned, life, whole, says }) {
    const owner = this.texts.clans[seat];
    if (card === null) return `a face-down card (${name}) of ${owner}`;
    const more = [...says, closed && !stunned && "closed", stunned && "stunned", down && "face down"].filter(Boolean);
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
