// What moves on the board between two scenes: figures come, march and fall, and Ragnarok breaks provinces.

import { svg } from "../render/elements.js";
import { figureParts } from "./board.js";

export const RESERVE = 13; // places beyond the board, as in engine.Place
export const VALHALLA = 14;
const MOVE = 600; // milliseconds
const FALL = 800;
const QUAKE = 850;
const SHARDS = 7; // pieces of a province
const FAR = 500; // beyond each province

/** The figures that went from one place to another between two scenes: [seat, kind, from, to]. */
export function movedBetween(before, after) {
  const count = ({ places, clans }, seat, kind, place) => (place === RESERVE ? clans[seat].reserve[kind] : place === VALHALLA ? clans[seat].valhalla[kind]
    : places[place].figures.filter(([owner, each]) => owner === seat && each === kind).reduce((sum, [, , number]) => sum + number, 0));
  return after.clans.flatMap(({ reserve }, seat) => reserve.flatMap((_, kind) => {
    const [left, came] = [[], []];
    for (let place = 0; place <= VALHALLA; place += 1) {
      const more = count(after, seat, kind, place) - count(before, seat, kind, place);
      (more > 0 ? came : left).push(...Array(Math.abs(more)).fill(place));
    }
    came.reverse(); // the dead were on the board, and who left the reserve is there
    return left.slice(0, came.length).map((from, number) => [seat, kind, from, came[number]]);
  }));
}

/** A sequence (`Drama.play`) on a board that is drawn as `after`: its acts, sounds and props; the props lie over the board. */
export function boardSequence(board, before, after) {
  const found = { acts: [], cues: [], props: [] };
  const used = new Map(); // figures of a seat and kind that came to a place
  for (const [seat, kind, from, to] of movedBetween(before, after)) {
    if (from < RESERVE && (to === VALHALLA || after.places[from].destroyed)) fall(board, before.clans[seat], [seat, kind, from], found);
    else if (to < RESERVE) {
      const name = `.figure[data-place="${to}"][data-seat="${seat}"][data-kind="${kind}"]`;
      const number = (used.get(name) ?? 0) + 1;
      used.set(name, number);
      found.acts.push({ on: () => [...board.root.querySelectorAll(name)].at(-number), ...coming(board, from, to) });
    }
  }
  after.places.forEach(({ destroyed }, place) => destroyed && !before.places[place].destroyed && quake(board, place, found));
  board.root.append(...found.props);
  return [found.acts, found.cues, found.props];
}

function coming(board, from, to) {
  const [x, y] = board.centre(to);
  const [dx, dy] = from < RESERVE ? board.centre(from).map((value, axis) => value - [x, y][axis]) : [0, -40];
  const begin = { transform: `translate(${dx}px, ${dy}px)`, opacity: from < RESERVE ? 1 : 0 };
  return { frames: [begin, { transform: "none", opacity: 1 }], duration: MOVE, easing: "ease-in-out" };
}

// A figure falls over, and rises to Valhalla.
function fall(board, clan, [seat, kind, place], { acts, cues, props }) {
  const number = props.filter(({ dataset }) => dataset.place === `${place}`).length;
  const [x, y] = board.centre(place).map((value, axis) => value + (axis ? 9 : 22) * (number % 2 ? number + 1 : -number) / 2);
  const ghost = svg("g", { class: "ghost", opacity: 0, "data-place": place, "aria-hidden": "true" }, ...figureParts(board.texts, clan, seat, kind));
  const at = (more) => `translate(${x}px, ${y}px) ${more}`;
  props.push(svg("g", { "data-place": place, "pointer-events": "none" }, ghost));
  acts.push({ on: () => ghost, duration: FALL, easing: "ease-in", frames: [
    { transform: at("rotate(0deg)"), opacity: 1 }, { transform: at("rotate(88deg)"), opacity: 1, offset: 0.4 },
    { transform: at("rotate(88deg)"), opacity: 1, offset: 0.55 }, { transform: at("translateY(-110px) rotate(88deg)"), opacity: 0 }] });
  cues.push(["fall", 0]);
}

// A province shakes and breaks into pieces, which fall away from what is left of it.
function quake(board, place, { acts, cues, props }) {
  const [x, y] = board.centre(place);
  const corner = (number) => {
    const angle = (2 * Math.PI * (number + (number % 2 ? 0.3 : 0))) / SHARDS + place;
    return [x + FAR * Math.cos(angle), y + FAR * Math.sin(angle)];
  };
  const land = board.lands[place];
  for (let number = 0; number < SHARDS; number += 1) {
    const edge = [[x, y], corner(number), corner((number + 1) % SHARDS)];
    const whole = land.cloneNode(true);
    for (const name of ["id", "data-place", "role", "tabindex", "aria-label"]) whole.removeAttribute(name);
    whole.classList.remove("destroyed", "lit");
    const name = `shard-${place}-${number}`;
    const shard = svg("g", { opacity: 0 }, svg("clipPath", { id: name }, svg("polygon", { points: edge.map((point) => point.join(",")).join(" ") })), svg("g", { "clip-path": `url(#${name})` }, whole));
    const [dx, dy] = [0, 1].map((axis) => 0.08 * ((edge[1][axis] + edge[2][axis]) / 2 - edge[0][axis]));
    const jolt = (number % 2 ? 1 : -1) * 4;
    acts.push({ on: () => shard, duration: QUAKE, easing: "ease-in", frames: [
      { transform: "none", opacity: 1 }, { transform: `translate(${jolt}px, ${-jolt}px)`, opacity: 1, offset: 0.1 }, { transform: `translate(${-jolt}px, ${jolt}px)`, opacity: 1, offset: 0.2 },
      { transform: `translate(${dx * 0.3}px, ${dy * 0.3}px)`, opacity: 1, offset: 0.45 }, { transform: `translate(${dx}px, ${dy + 70}px)`, opacity: 0 }] });
    props.push(svg("g", { "aria-hidden": "true", "pointer-events": "none", class: "shard" }, shard));
  }
  cues.push(["ragnarok", 0]);
}
