// Arrows and rings on the board for moves that are recommended: by a hint, or by a lesson.

import { svg } from "../render/elements.js";

const HEAD = 20; // length of the head of an arrow
const REST = 30; // how far from the middle of a place an arrow ends
const DROP = 96; // length of an arrow to a place from nowhere on the board
const BEND = 0.16; // of an arrow between two places, of its length
const RING = 40; // radius of a ring about what acts where it stands

export class Advice {
  /** `root` is the drawing of the board; `ends(choice)` returns the points [from, to] of a choice, `from` null where it comes from nowhere on the board, [at] of one that is done there, or null for a choice that names no place. */
  constructor(root, ends) {
    Object.assign(this, { root, ends });
    this.layer = svg("g", { class: "advice", "aria-hidden": "true" });
    root.append(this.layer);
  }

  /** Draw an arrow for each of [{choice, label}], the best one first; a choice that names no place has none. */
  show(moves) {
    const drawn = moves.map(({ choice, label }, rank) => this.arrow(this.ends(choice), label, rank)).filter(Boolean);
    this.layer.replaceChildren(...drawn.reverse()); // the best one lies over the others
  }

  arrow(ends, label, rank) {
    if (ends === null) return null;
    if (ends.length === 1) return this.ring(ends[0], label, rank);
    const [origin, to] = ends;
    const from = origin ?? this.outside(to, rank);
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const along = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
    const bend = origin === null ? 0 : BEND * far;
    const control = [0, 1].map((axis) => (from[axis] + to[axis]) / 2 + bend * [along[1], -along[0]][axis]);
    const away = Math.hypot(to[0] - control[0], to[1] - control[1]);
    const into = [(to[0] - control[0]) / away, (to[1] - control[1]) / away];
    const tip = [0, 1].map((axis) => to[axis] - REST * 0.5 * into[axis]);
    const neck = [0, 1].map((axis) => tip[axis] - HEAD * into[axis]);
    const side = [-into[1], into[0]].map((each) => each * HEAD * 0.62);
    const line = `M${from.join(" ")}Q${control.join(" ")} ${neck.join(" ")}`;
    const head = `M${tip.join(" ")}L${neck[0] + side[0]} ${neck[1] + side[1]}L${neck[0] - side[0]} ${neck[1] - side[1]}Z`;
    return svg("g", { class: rank ? "other" : "best" }, svg("path", { d: line, class: "edge" }), svg("path", { d: line, class: "line" }),
      svg("path", { d: head, class: "head" }), label ? this.label(from, label) : null);
  }

  ring([x, y], label, rank) {
    return svg("g", { class: rank ? "other" : "best" }, svg("circle", { cx: x, cy: y, r: RING, class: "edge" }), svg("circle", { cx: x, cy: y, r: RING, class: "line" }),
      label ? this.label([x, y - RING], label) : null);
  }

  // Where an arrow begins that comes from the reserve, or names a place alone: towards the middle of the board.
  outside([x, y], rank) {
    const [left, top, width, height] = this.root.getAttribute("viewBox").split(" ").map(Number);
    const [dx, dy] = [left + width / 2 - x, top + height / 2 - y];
    const far = Math.hypot(dx, dy);
    if (far < 1) return [x + (rank - 1) * 40, y - DROP];
    return [x + (dx / far) * DROP, y + (dy / far) * DROP];
  }

  label([x, y], text) {
    const width = 12 + 8 * text.length;
    return svg("g", { class: "label" }, svg("rect", { x: x - width / 2, y: y - 11, width, height: 22, rx: 6 }),
      svg("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14 }, text));
  }
}
