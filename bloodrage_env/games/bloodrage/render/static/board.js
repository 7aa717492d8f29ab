// The board of a scene, drawn over the background that render/picture.py made. Whoever uses it gives an <svg> with that
// background (a group `place-N` a place), the symbols and the `texts` of render/replay_page.py.

import { counted, svg } from "../render/elements.js";
import { lookOf, MONSTER_1, MONSTER_2 } from "./scene.js";

const NUM_PROVINCES = 9;
const NUM_OUTER = 8;
const BADGE = 0.95; // of a clan, at its figure
const SMALL = matchMedia("(max-width: 560px)"); // where letters of the board would be too small to read ...
const APART = 44; // between strengths and figures where the name lies beyond the strengths ...
const AWAY = 8;
const LARGER = 1.75; // ... and how much larger they are there; names of provinces: in page.css
const LARGEST = 2; // ... and the smallest letters

function box([x, y, width, height], radius, attributes) {
  return svg("rect", { x, y, width, height, rx: radius, ...attributes });
}

function words(x, y, size, text, attributes = {}) {
  return svg("text", { x, y, "font-size": size, "text-anchor": "middle", ...attributes }, text);
}

// Whether the whole board is on a small screen. A board of the page to play on can be enlarged.
const isSmall = () => SMALL.matches && !document.body.classList.contains("enlarged");

// What is written about a point, larger on a small screen.
function grown(x, y, node, times = LARGER) {
  if (isSmall()) node.setAttribute("transform", `translate(${x} ${y}) scale(${times}) translate(${-x} ${-y})`);
  return node;
}

export class Board {
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.marks = svg("g", {});
    this.lit = [];
    root.append(this.marks);
    this.marks.addEventListener("click", (event) => { // pieces in a place have tooltips, and a click on one selects the place
      const place = event.target.closest("[data-place]")?.dataset.place;
      if (place !== undefined && !event.defaultPrevented) this.lands[place].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    });
    this.lands = texts.geometry.places.map((_, place) => root.querySelector(`#place-${place}`));
    this.frames = this.lands.map((land, place) => this.frame(land, place));
  }

  // A line around a province, beneath the fjords, which come later in the background.
  frame(land, place) {
    land.dataset.place = place;
    land.setAttribute("role", "img");
    if (place >= NUM_PROVINCES) return null;
    const line = svg("polygon", { points: pointList(this.texts.geometry.places[place].frame), class: "frame" });
    land.append(line);
    return line;
  }

  draw(scene) {
    this.dim();
    const parts = [];
    scene.places.forEach((entry, place) => {
      this.drawLand(scene, entry, place);
      if (entry.destroyed) return;
      if (place < NUM_PROVINCES) {
        parts.push(...this.tags(scene, entry, place), ...this.god(entry, place), this.token(entry, place), ...this.ruins(entry, place), ...this.strengths(entry, place));
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
    const { tag, battle } = this.texts.geometry.places[place];
    const parts = [];
    if (entry.doom !== null) {
      const now = entry.doom === scene.age;
      const text = now ? "doomed" : `Age ${entry.doom + 1}: †`;
      const title = svg("title", {}, now ? "Ragnarok destroys it at the end of this Age" : `Ragnarok destroys it at the end of Age ${entry.doom + 1}`);
      parts.push(grown(...middle(tag), svg("g", { class: now ? "tag doomed" : "tag doomed-later", "data-place": place }, title, box(tag, 3), words(tag[0] + tag[2] / 2, tag[1] + 13.5, 12, text)), LARGEST));
    }
    if (entry.battle) {
      const [x, y] = battle;
      const swords = svg("use", { href: "#swords", transform: `translate(${x + 10} ${y + 9}) scale(.8)` });
      parts.push(grown(...middle(battle), svg("g", { class: "tag battle", "data-place": place }, box(battle, 3), swords, words(x + 41, y + 13.5, 12, "battle")), LARGEST));
    }
    return parts;
  }

  // The god of a place, with its effect as a tooltip.
  god(entry, place) {
    if (entry.god === null) return [];
    const [name, label, text] = this.texts.gods[entry.god];
    const [x, y] = middle(this.texts.geometry.places[place].god);
    const title = svg("title", {}, `${name} (${label}): ${text}`);
    return [svg("g", { class: "god", "data-place": place }, title, svg("use", { href: `#god-${entry.god}`, x, y }))];
  }

  token(entry, place) {
    const rect = this.texts.geometry.places[place].token;
    const [x, y] = middle(rect);
    const text = this.texts.tokens[entry.token];
    const shown = entry.pillaged ? svg("path", { d: "M-8 -8L8 8M8 -8L-8 8", transform: `translate(${x} ${y})` }) : svg("use", { href: `#token-${entry.token}`, x, y });
    const title = svg("title", {}, entry.pillaged ? `pillaged (${text})` : `pillage token: ${text}`);
    return svg("g", { class: entry.pillaged ? "token pillaged" : "token", "data-place": place }, title, svg("circle", { cx: x, cy: y, r: rect[2] / 2 }), shown);
  }

  // The empty villages of a pillaged province.
  ruins(entry, place) {
    if (!entry.pillaged || place >= NUM_OUTER) return [];
    const { slots } = this.texts.geometry.places[place];
    return slots.slice(entry.figures.length).map(([x, y]) => svg("use", { href: "#burnt", x, y, "data-place": place }));
  }

  // Where strengths are on a small screen: away from the name, which is larger there too.
  chipTop(place) {
    const { chips, slots } = this.texts.geometry.places[place];
    const [top, slot] = [chips[0][1], slots[0][1]];
    return Math.abs(slot - top) > APART ? top + AWAY * Math.sign(slot - top) : top;
  }

  strengths(entry, place) {
    const { clans, geometry } = this.texts;
    const { chips } = geometry.places[place];
    const there = entry.strength.flatMap((total, seat) => (total ? [seat] : []));
    return there.map((seat, number) => {
      const total = entry.strength[seat];
      const [, , width, height] = chips[seat];
      const rect = isSmall() ? [chips[0][0] + (LARGER - 1) * (width / 2) + number * LARGER * width, this.chipTop(place), width, height] : chips[seat]; // larger ones in a row without gaps
      const emblem = svg("use", { href: `#emblem-${seat}`, transform: `translate(${rect[0] + 11} ${rect[1] + 10}) scale(.92)` });
      const title = svg("title", {}, `${clans[seat]}: STR ${total} in ${geometry.places[place].name}`);
      return grown(rect[0] + width / 2, rect[1] + height / 2, svg("g", { class: "chip", "data-place": place }, title, box(rect, 5), emblem, words(rect[0] + 31, rect[1] + 15, 14, total)));
    });
  }

  /** The middle of a place. */
  centre(place) {
    const { slots } = this.texts.geometry.places[place];
    return [0, 1].map((axis) => slots.reduce((sum, slot) => sum + slot[axis], 0) / slots.length);
  }

  // The positions of `count` figures, and their scale.
  standing(place, count) {
    const { figure, crowd: small, places } = this.texts.geometry;
    const { slots, crowd } = places[place];
    return count > slots.length && crowd.length ? [crowd, small / figure] : [slots, 1];
  }

  figures(scene, entry, place) {
    const { clans, geometry } = this.texts;
    const [points, scale] = this.standing(place, entry.figures.length);
    return entry.figures.slice(0, points.length).map(([seat, kind, count], number) => {
      const [x, y] = points[number];
      const drawn = svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, ...figureParts(this.texts, scene.clans[seat], seat, kind, scale).slice(0, isSmall() && place < NUM_PROVINCES ? 1 : 2)); // there the strengths say whose they are
      if (count > 1) drawn.append(grown(-16, 18, svg("g", {}, svg("circle", { cx: -16, cy: 18, r: 10, class: "count" }), words(-16, 22.5, 12.5, `×${count}`)), LARGEST));
      const title = svg("title", {}, `${clans[seat]} ${this.kindName(scene, seat, kind)} in ${geometry.places[place].name}`);
      const data = { "data-place": place, "data-seat": seat, "data-kind": kind };
      return svg("g", { class: "figure", "aria-hidden": "true", ...data }, title, drawn);
    });
  }

  // Light what can be chosen: targets are {place}, or {place, seat, kind} for a figure there. `pick` is
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

// A figure of a clan and its badge, about the origin; `scale` is that of what it is drawn in.
export function figureParts(texts, clan, seat, kind, scale = 1) {
  const size = (isSmall() ? LARGER : 1) * (BADGE / Math.min(1, scale));
  const badge = `translate(17 ${isSmall() ? 24 : 18}) scale(${size})`;
  return [svg("use", { href: `#figure-${lookOf(texts, clan, kind)}`, class: `of-${seat}` }), svg("use", { href: `#emblem-${seat}`, transform: badge })];
}

function middle([x, y, width, height]) {
  return [x + width / 2, y + height / 2];
}

function pointList(points) {
  return points.map((point) => point.join(",")).join(" ");
}
