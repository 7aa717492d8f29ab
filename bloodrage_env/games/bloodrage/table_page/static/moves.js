// Arrows show which figures have moved since one's own last turn.

import { svg } from "../render/elements.js";
import { RESERVE, VALHALLA } from "../board/motion.js";

export class Moves {
  constructor(board) {
    this.board = board;
    this.trail = svg("g", { class: "trail", "aria-hidden": "true" });
    board.root.append(this.trail);
  }

  /** Draw what these moves came to: an arrow a way, a ring where figures came from the reserve, a cross where they fell. */
  show(moves) {
    const ways = new Map();
    for (const [seat, kind, from, to] of moves) {
      if (from >= RESERVE && to >= RESERVE) continue;
      const key = `${seat} ${Math.min(from, VALHALLA)} ${to}`;
      ways.set(key, { seat, from, to, count: (ways.get(key)?.count ?? 0) + 1 });
    }
    this.trail.replaceChildren(...[...ways.values()].map((way) => this.way(way)));
  }

  way({ seat, from, to, count }) {
    const { clans, geometry } = this.board.texts;
    const name = (place) => geometry.places[place].name;
    const figures = `${clans[seat]}: ${count} ${count > 1 ? "figures" : "figure"}`;
    if (to >= RESERVE) return this.sign("fallen", seat, from, `−${count}`, `${figures} fell in ${name(from)}`);
    if (from >= RESERVE) return this.sign("came", seat, to, `+${count}`, `${figures} came to ${name(to)}`);
    const [[ax, ay], [bx, by]] = [this.board.centre(from), this.board.centre(to)];
    const far = Math.hypot(bx - ax, by - ay);
    const at = (share) => [ax + (bx - ax) * share, ay + (by - ay) * share];
    const [start, end] = [at(28 / far), at(1 - 34 / far)];
    const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
    return svg("g", { class: `way edge-${seat}` }, svg("title", {}, `${figures} from ${name(from)} to ${name(to)}`),
      svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] }),
      svg("path", { d: "M0 -8 L16 0 L0 8 z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` }));
  }

  // Below the strength of the clan; in a fjord, which has none, beside the ship.
  sign(kind, seat, place, text, title) {
    const { chips, slots } = this.board.texts.geometry.places[place];
    const [left, top] = chips.length ? [chips[seat][0] + 10, chips[seat][1] + 31] : [slots[0][0] + 24, slots[0][1] - 20 + 10 * seat];
    const [x, y] = [left + (kind === "fallen" && chips.length ? 20 : 0), top];
    return svg("g", { class: `sign ${kind} edge-${seat}` }, svg("title", {}, title),
      svg("circle", { cx: x, cy: y, r: 10 }), svg("text", { x, y: y + 4.5, "text-anchor": "middle", "font-size": 12.5 }, text));
  }
}
