// The board of a scene, drawn over the background that render/picture.py made. Whoever uses it gives an <svg> with that
// background (a group `place-N` a place), the symbols and the `texts` of render/replay_page.py.

import { counted, svg } from "../render/elements.js";
import { lookOf, MONSTER_1, MONSTER_2 } from "./scene.js";

const NUM_PROVINCES = 9;
const NUM_OUTER = 8;
const BADGE = 0.95; // of a clan, at its figure
const SMALL = matchMedia("(max-width: 560px)"); // where letters of the board would be too small to read ...
const LETTERS = 24; // ... and their size there
const LARGER = 1.9; // ... how much larger badges are
const LIKE_A_SHAPE = 1.5; // ... and the shape around a strength

function box([x, y, width, height], radius, attributes) {
  return svg("rect", { x, y, width, height, rx: radius, ...attributes });
}

function words(x, y, size, text, attributes = {}) {
  return svg("text", { x, y, "font-size": size, "text-anchor": "middle", ...attributes }, text);
}

// Whether the whole board is on a small screen. A board of the page to play on can be enlarged.
const isSmall = () => SMALL.matches && !document.body.classList.contains("enlarged");

export class Board {
  /** On a small screen `touched(place)` is called with a place that is clicked, after it was chosen if it could be. */
  constructor(root, texts, touched = null) {
    Object.assign(this, { root, texts, touched });
    this.marks = svg("g", {});
    this.lit = [];
    root.append(this.marks);
    this.marks.addEventListener("click", (event) => { // pieces in a place have tooltips, and a click on one selects the place
      const place = event.target.closest("[data-place]")?.dataset.place;
      event.stopPropagation();
      if (place !== undefined && !event.defaultPrevented) this.lands[place].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    });
    this.lands = texts.geometry.places.map((_, place) => root.querySelector(`#place-${place}`));
    this.frames = this.lands.map((land, place) => this.frame(land, place));
    for (const event of ["click", "keydown"]) root.addEventListener(event, (happened) => this.touch(happened));
  }

  // Places that are lit have taken the event already.
  touch(event) {
    const place = event.target.closest("[id^=place-]")?.dataset.place;
    if (place === undefined || !this.touched || !SMALL.matches || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    this.touched(Number(place));
  }

  // A place that can't be chosen: on a small screen it can be touched nevertheless.
  rest(land) {
    const opens = this.touched && SMALL.matches;
    land.setAttribute("role", opens ? "button" : "img");
    if (opens) land.setAttribute("tabindex", "0");
    else land.removeAttribute("tabindex");
  }

  // A line around a province, beneath the fjords, which come later in the background.
  frame(land, place) {
    land.dataset.place = place;
    if (place >= NUM_PROVINCES) return null;
    const line = svg("polygon", { points: pointList(this.texts.geometry.places[place].frame), class: "frame" });
    land.append(line);
    return line;
  }

  // Where things are in a place: on a small screen there are fewer, and they are larger.
  at(place) {
    const found = this.texts.geometry.places[place];
    return isSmall() ? { ...found, ...found.small } : found;
  }

  draw(scene) {
    this.dim();
    this.texts.geometry.places.forEach(({ name_at: banner, small }, place) => {
      const [x, y] = banner ? middle(banner) : [];
      const [left, top] = banner ? middle(small.name) : [];
      const moved = banner && isSmall() ? `translate(${left} ${top}) scale(${small.name[2] / banner[2]}) translate(${-x} ${-y})` : "";
      for (const node of this.lands[place].querySelectorAll(".banner")) node.setAttribute("transform", moved);
    });
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
    this.rest(land);
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
    const { tag, battle } = this.at(place);
    const small = isSmall();
    const size = small ? LETTERS : 13;
    const parts = [];
    if (entry.doom !== null) {
      const now = entry.doom === scene.age;
      const text = small ? (now ? "†" : `†${entry.doom + 1}`) : now ? "doomed" : `Age ${entry.doom + 1}: †`;
      const title = svg("title", {}, now ? "Ragnarok destroys it at the end of this Age" : `Ragnarok destroys it at the end of Age ${entry.doom + 1}`);
      const [x, y] = middle(tag);
      parts.push(svg("g", { class: now ? "tag doomed" : "tag doomed-later", "data-place": place }, title, box(tag, 3), words(x, y + 0.37 * size, size, text)));
    }
    if (entry.battle) {
      const [x, y] = middle(battle);
      const swords = svg("use", { href: "#swords", transform: small ? `translate(${x} ${y}) scale(1.4)` : `translate(${x - 22} ${y}) scale(.8)` });
      parts.push(svg("g", { class: "tag battle", "data-place": place }, svg("title", {}, "a battle is fought here"), box(battle, 3), swords, small ? null : words(x + 9, y + 4.5, size, "battle")));
    }
    return parts;
  }

  // The god of a place, with its effect as a tooltip.
  god(entry, place) {
    if (entry.god === null) return [];
    const [name, label, text] = this.texts.gods[entry.god];
    const [x, y] = middle(this.at(place).god);
    const title = svg("title", {}, `${name} (${label}): ${text}`);
    return [svg("g", { class: "god", "data-place": place }, title, svg("use", { href: `#god-${entry.god}`, x, y }))];
  }

  token(entry, place) {
    const rect = this.at(place).token;
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

  strengths(entry, place) {
    const { clans, geometry } = this.texts;
    const there = entry.strength.flatMap((total, seat) => (total ? [seat] : []));
    return there.map((seat, number) => {
      const total = entry.strength[seat];
      const title = svg("title", {}, `${clans[seat]}: STR ${total} in ${geometry.places[place].name}`);
      const rect = isSmall() ? geometry.places[place].small[number] : geometry.places[place].chips[seat];
      if (isSmall()) {
        const [x, y] = middle(rect);
        const shape = svg("use", { href: `#shape-${seat}`, transform: `translate(${x} ${y}) scale(${LIKE_A_SHAPE})` });
        return svg("g", { class: `badge ink-${seat}`, "data-place": place }, title, shape, words(x, y + 0.37 * LETTERS, LETTERS, total));
      }
      const emblem = svg("use", { href: `#emblem-${seat}`, transform: `translate(${rect[0] + 11} ${rect[1] + 10}) scale(.92)` });
      return svg("g", { class: "chip", "data-place": place }, title, box(rect, 5), emblem, words(rect[0] + 31, rect[1] + 15, 14, total));
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
      const [left, low, radius, size] = isSmall() ? [-8, 11, 17, LETTERS - 1] : [-16, 18, 10, 12.5];
      if (count > 1) drawn.append(svg("circle", { cx: left, cy: low, r: radius, class: "count" }), words(left, low + 0.37 * size, size, `×${count}`));
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
        if (!this.touched || !SMALL.matches) return;
        node.focus({ preventScroll: true }); // the sheet gives the focus back
        this.touched(target.place);
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
      this.rest(node);
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
