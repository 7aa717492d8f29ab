// Glory, or another number of each clan, over time, with Ages and battles: a chart to look at and to jump by.

import { svg } from "./elements.js";

const SIZE = [1200, 80]; // where it is not shown yet
const LEFT = 34;
const RIGHT = 32;
const TOP = 22; // above the lines: a row of marks, and one of names of Ages
const BOTTOM = 16;
const LABEL = 12; // height of the name of a line
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "1 4"];

export class Chart {
  // `glory` is a list a step of glory by seat; `jump` is called with the step that was clicked.
  constructor(root, glory, moments, texts, jump) {
    Object.assign(this, { root, glory, moments, clans: texts.clans, letters: texts.letters });
    this.steps = Math.max(1, glory.length - 1);
    this.high = Math.max(10, ...glory.flat());
    this.low = Math.min(0, ...glory.flat());
    this.cursor = svg("line", { y1: TOP - 12, class: "cursor" });
    this.step = 0;
    this.draw();
    new ResizeObserver(() => this.draw()).observe(root);
    root.addEventListener("click", (event) => {
      const x = event.clientX - root.getBoundingClientRect().left;
      const step = Math.round(((x - LEFT) / (this.width - LEFT - RIGHT)) * this.steps);
      jump(Math.min(Math.max(step, 0), this.steps));
    });
  }

  draw() {
    this.width = this.root.clientWidth || SIZE[0];
    this.height = this.root.clientHeight || SIZE[1];
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.cursor.setAttribute("y2", this.height - BOTTOM);
    const drawn = [...this.scale(), ...this.marks(this.moments), ...this.lines(this.glory, this.clans)];
    this.root.replaceChildren(...drawn, this.cursor);
    this.at(this.step);
  }

  x(step) {
    return LEFT + ((this.width - LEFT - RIGHT) * step) / this.steps;
  }

  y(value) {
    return this.height - BOTTOM - ((this.height - TOP - BOTTOM) * (value - this.low)) / (this.high - this.low);
  }

  scale() {
    return [this.low, this.high].flatMap((value) => [
      svg("line", { x1: LEFT, x2: this.width - RIGHT, y1: this.y(value), y2: this.y(value), class: "grid" }),
      svg("text", { x: LEFT - 6, y: this.y(value) + 4, "text-anchor": "end" }, `${value}`),
    ]);
  }

  marks(moments) {
    return moments.flatMap(([step, kind, text]) => {
      const x = this.x(step);
      const title = svg("title", {}, text);
      if (kind === "costly") return [svg("path", { d: `M${x} 10 l-4 -8 h8 z`, class: "costly" }, title)];
      if (kind === "battle") return [svg("path", { d: `M${x} ${this.height - BOTTOM} l-4 7 h8 z`, class: "battle" }, title)];
      if (kind !== "age") return [];
      return [
        svg("line", { x1: x, x2: x, y1: TOP - 12, y2: this.height - BOTTOM, class: "age" }, title),
        svg("text", { x: x + 4, y: TOP - 1 }, text),
      ];
    });
  }

  lines(glory, clans) {
    const last = glory[glory.length - 1];
    const order = last.map((_, seat) => seat).sort((a, b) => last[b] - last[a]);
    const labels = [];
    order.forEach((seat) => {
      const above = labels.length ? labels[labels.length - 1].y + LABEL : 0;
      labels.push({ seat, y: Math.max(this.y(last[seat]) + 4, above) });
    });
    let below = this.height - 3; // none of them falls off the chart
    for (const label of [...labels].reverse()) {
      label.y = Math.min(label.y, below);
      below = label.y - LABEL;
    }
    const drawn = clans.slice(0, last.length).map((name, seat) => {
      let path = `M${this.x(0)} ${this.y(glory[0][seat])}`;
      for (let step = 1; step < glory.length; step += 1) {
        if (glory[step][seat] !== glory[step - 1][seat]) path += `H${this.x(step).toFixed(1)}V${this.y(glory[step][seat]).toFixed(1)}`;
      }
      const line = svg("path", { d: `${path}H${this.x(this.steps)}`, class: "glory", "stroke-dasharray": DASHES[seat] }, svg("title", {}, name));
      line.style.stroke = `var(--clan-${seat})`;
      return line;
    });
    return [...drawn, ...labels.map(({ seat, y }) => svg("text", { x: this.width - RIGHT + 5, y, class: "name" }, this.letters[seat]))];
  }

  at(step) {
    this.step = step;
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, this.x(step));
  }
}
