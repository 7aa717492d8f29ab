// The board of a scene, drawn over the background that render/picture.py made. Whoever uses it gives an <svg> with that
// background (a group `place-N` a place) and the symbols `figure-SEAT-KIND`, and `texts` of render/replay_page.py.

import { counted, svg } from "/render/elements.js";
import { MONSTER_1, MONSTER_2 } from "./scene.js";

const NUM_PROVINCES = 9;

function box([x, y, width, height], radius, attributes) {
  return svg("rect", { x, y, width, height, rx: radius, ...attributes });
}

function words(x, y, size, text, attributes = {}) {
  return svg("text", { x, y, "font-size": size, "text-anchor": "middle", ...attributes }, text);
}

export class Board {
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.marks = svg("g", {});
    this.lit = [];
    root.append(this.marks);
    this.lands = texts.geometry.places.map((_, place) => root.querySelector(`#place-${place}`));
    this.frames = this.lands.map((land, place) => this.frame(land, place));
  }

  // A line around a province, beneath the fjords, which come later in the background; and a word for when it is gone.
  frame(land, place) {
    land.dataset.place = place;
    land.setAttribute("role", "img");
    if (place >= NUM_PROVINCES) return null;
    const points = pointList(this.texts.geometry.places[place].frame);
    const line = svg("polygon", { points, class: "frame" });
    const [x, y] = this.texts.geometry.places[place].slots[0];
    land.append(line, words(x - 18, y + 4, 13, "destroyed", { "text-anchor": "start", class: "ruin" }));
    return line;
  }

  draw(scene) {
    this.dim();
    const parts = [];
    scene.places.forEach((entry, place) => {
      this.drawLand(scene, entry, place);
      if (entry.destroyed) return;
      if (place < NUM_PROVINCES) {
        parts.push(...this.tags(scene, entry, place), ...this.god(entry, place), this.token(entry, place), ...this.strengths(entry, place));
      }
      parts.push(...this.figures(scene, entry, place));
    });
    this.marks.replaceChildren(...parts);
  }

  drawLand(scene, entry, place) {
    const land = this.lands[place];
    land.classList.toggle("destroyed", entry.destroyed);
    land.querySelector("title").textContent = this.describe(scene, place);
    land.setAttribute("aria-label", this.describe(scene, place));
    if (place >= NUM_PROVINCES) return;
    const doomed = entry.doom !== null && !entry.destroyed;
    const kind = entry.battle ? "battle" : doomed && entry.doom === scene.age ? "doomed" : doomed ? "doomed-later" : "";
    this.frames[place].setAttribute("class", `frame ${kind}`);
  }

  // A place in words, for tooltips and screen readers.
  describe(scene, place) {
    const { clans, geometry } = this.texts;
    const entry = scene.places[place];
    const said = [geometry.places[place].name];
    if (entry.destroyed) said.push("destroyed");
    else if (place < NUM_PROVINCES) {
      if (entry.battle) said.push("a battle is fought here");
      if (entry.doom !== null) said.push(entry.doom === scene.age ? "doomed" : `doomed in Age ${entry.doom + 1}`);
      said.push(entry.pillaged ? "pillaged" : `token ${this.texts.tokens[entry.token]}`);
      if (entry.god !== null) said.push(`${this.texts.gods[entry.god][0]} stands here`);
    }
    if (!entry.destroyed) said.push(...entry.figures.map(([seat, kind, n]) => counted(n, `${clans[seat]} ${this.kindName(scene, seat, kind)}`)));
    return said.join(", ");
  }

  // "warrior", or what the monster of this slot is.
  kindName(scene, seat, kind) {
    const card = kind === MONSTER_1 || kind === MONSTER_2 ? scene.clans[seat].upgrades[kind] : null;
    return card === null ? this.texts.kinds[kind] : this.texts.cards[card][0];
  }

  tags(scene, entry, place) {
    const [x, y, width, height] = this.texts.geometry.places[place].tag;
    const parts = [];
    let right = x + width;
    if (entry.doom !== null) {
      const now = entry.doom === scene.age;
      const size = now ? 58 : 70;
      const text = now ? "DOOMED" : `Age ${entry.doom + 1}: doom`;
      const name = now ? "tag doomed" : "tag doomed-later";
      const middle = right - size / 2;
      parts.push(svg("g", { class: name }, box([right - size, y, size, height], 3), words(middle, y + 12, 10, text)));
      right -= size + 4;
    }
    if (entry.battle) {
      const sign = [box([right - 46, y, 46, height], 3), words(right - 23, y + 12, 10, "BATTLE")];
      parts.push(svg("g", { class: "tag battle" }, ...sign));
    }
    return parts;
  }

  // Who stands there, in few words what it does, and the whole of it as a tooltip.
  god(entry, place) {
    if (entry.god === null) return [];
    const [name, label, text] = this.texts.gods[entry.god];
    const rect = this.texts.geometry.places[place].god;
    const title = svg("title", {}, `${name}: ${text}`);
    return [svg("g", { class: "god", "data-place": place }, title, box(rect, 8), words(rect[0] + rect[2] / 2, rect[1] + 11.7, 9.5, `${name}: ${label}`))];
  }

  token(entry, place) {
    const rect = this.texts.geometry.places[place].token;
    const [x, y, width] = rect;
    const text = this.texts.tokens[entry.token];
    const shown = entry.pillaged ? words(x + width / 2, y + 13.5, 11, "pillaged") : words(x + width / 2, y + 13.5, 11.5, text);
    const title = svg("title", {}, entry.pillaged ? `pillaged (${text})` : `pillage token: ${text}`);
    const name = entry.pillaged ? "token pillaged" : "token";
    return svg("g", { class: name, "data-place": place }, title, box(rect, 9), shown);
  }

  strengths(entry, place) {
    const { clans, letters, geometry } = this.texts;
    return entry.strength.flatMap((total, seat) => {
      if (!total) return [];
      const rect = geometry.places[place].chips[seat];
      const text = words(rect[0] + rect[2] / 2, rect[1] + 13.5, 12.5, `${letters[seat]} ${total}`, { class: `ink-${seat}` });
      const title = svg("title", {}, `${clans[seat]}: STR ${total} in ${geometry.places[place].name}`);
      return [svg("g", { class: "chip" }, title, box(rect, 3, { class: `clan-${seat}` }), text)];
    });
  }

  figures(scene, entry, place) {
    const { clans, geometry } = this.texts;
    return entry.figures.map(([seat, kind, count], number) => {
      const [x, y] = geometry.places[place].slots[number];
      const parts = [svg("use", { href: `#figure-${seat}-${kind}`, x, y })];
      if (count > 1) {
        parts.push(svg("circle", { cx: x + 11, cy: y + 10, r: 8, class: "badge" }), words(x + 11, y + 13.6, 10, `x${count}`));
      }
      const title = svg("title", {}, `${clans[seat]} ${this.kindName(scene, seat, kind)} in ${geometry.places[place].name}`);
      const data = { "data-place": place, "data-seat": seat, "data-kind": kind };
      return svg("g", { class: "figure", "aria-hidden": "true", ...data }, title, ...parts);
    });
  }

  // Light what can be chosen: targets are {place}, or {place, seat, kind} for a figure that stands there. `pick` is
  // called with the target that was clicked, or chosen by Enter or the space bar. The next draw puts the lights out.
  light(targets, pick) {
    this.dim();
    for (const target of targets) {
      const node = this.find(target);
      if (!node) continue;
      const chosen = (event) => {
        if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        pick(target);
      };
      node.classList.add("lit");
      for (const [name, value] of [["tabindex", "0"], ["role", "button"]]) node.setAttribute(name, value);
      node.removeAttribute("aria-hidden");
      node.setAttribute("aria-label", node.querySelector("title").textContent);
      node.addEventListener("click", chosen);
      node.addEventListener("keydown", chosen);
      this.lit.push([node, chosen]);
    }
  }

  dim() {
    for (const [node, chosen] of this.lit) {
      node.classList.remove("lit");
      node.removeAttribute("tabindex");
      node.setAttribute("role", "img");
      node.removeEventListener("click", chosen);
      node.removeEventListener("keydown", chosen);
    }
    this.lit = [];
  }

  find({ place, seat, kind }) {
    if (seat === undefined || kind === undefined) return this.lands[place];
    return this.marks.querySelector(`.figure[data-place="${place}"][data-seat="${seat}"][data-kind="${kind}"]`);
  }
}

function pointList(points) {
  return points.map((point) => point.join(",")).join(" ");
}
