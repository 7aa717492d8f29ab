// Clan sheets, the Ages and the phases.

import { counted, svg } from "../render/elements.js";
import { emblem, icon } from "../board/sheets.js";
import { byId, h, standing, whoPlays } from "../static/dom.js";
import { chanceMark } from "../static/watch.js";

const STATS = ["Rage", "Axes", "Horns"];
const STEPS = 6;
const MYSTIC = 5;

// What the next step of a stat gives.
function pays(texts, step, number) {
  if (step + 1 === STEPS) return `the last step, ${texts.bonus[step]} glory at the end`;
  const more = texts.bonus[step + 1] - texts.bonus[step];
  return `the next: ${texts.stats[number][step + 1]}${more ? `, and ${more} more glory at the end` : ""}`;
}

function stat(texts, clan, number) {
  const value = [`${clan.rage}/${clan.values[0]}`, `${clan.values[1]}`, `${clan.on_board}/${clan.values[2]}`][number];
  const meaning = ["Rage left of the Rage stat", "Axes: glory for a won battle", "Horns: figures on the board, and how many may be"][number];
  const about = `${meaning}; step ${clan.steps[number] + 1} of ${STEPS}`;
  return h("span", { class: "measure", title: `${about}; ${pays(texts, clan.steps[number], number)}` }, 
    svg("svg", { viewBox: "-10 -10 20 20", width: 16, height: 16, "aria-hidden": "true" }, svg("use", { href: `#icon-${STATS[number].toLowerCase()}` })),
    h("span", { class: "faint" }, STATS[number]), " ", h("b", {}, value));
}

function figures(texts, clan, seat, label, counts) {
  const shown = counts.flatMap((count, kind) => {
    if (!count) return [];
    const figure = icon(texts, seat, kind, 21, counted(count, texts.kinds[kind]), clan);
    return count > 1 ? [figure, h("b", { "aria-hidden": "true" }, `×${count}`)] : [figure];
  });
  return h("span", { class: "group" }, h("span", { class: "faint", "data-term": label }, label), shown.length ? shown : "–");
}

// The Mystics that have not come yet; nothing in a game without them.
function supply(texts, clan, seat) {
  const left = clan.supply;
  return left ? figures(texts, clan, seat, "supply", texts.kinds.map((_, kind) => (kind === MYSTIC ? left : 0))) : null;
}

// The provinces that the clan may not choose to pillage for now.
function barred(texts, clan) {
  const names = clan.barred.map((place) => texts.geometry.places[place].name).join(", ");
  return names ? h("span", { class: "group" }, h("span", { class: "faint", "data-term": "no pillage of" }, "no pillage of"), names) : null;
}

function chip(texts, card, look, more = "") {
  const face = texts.faces[card];
  const about = `${face.title}, ${face.facts}. ${face.text}`;
  return h("button", { type: "button", class: `chip ${more}`, "data-card": card, title: about, "aria-label": about, onclick: () => look(card) }, face.title);
}

function sheet(texts, view, seat, actions) {
  const { scene } = view;
  const clan = scene.clans[seat];
  const who = whoPlays(view.players[seat], seat === view.seat);
  const asked = scene.question?.seat === seat;
  const flags = [...standing(view.players[seat], asked), scene.first_player === seat ? ["first", "1st"] : null, clan.passed ? ["passed", "passed"] : null].filter(Boolean);
  const upgrades = clan.upgrades.filter((card) => card !== null).map((card) => chip(texts, card, actions.look));
  const known = seat === view.seat ? [] : (clan.private?.hand ?? clan.known);
  const open = seat === view.seat ? [] : clan.open_quests.map((card) => chip(texts, card, actions.look));
  const hand = view.seat === -1 ? clan.private.hand.map((card) => chip(texts, card, actions.look, `in-hand ${texts.faces[card].type}`)) : null;
  const cards = [...upgrades, ...open];
  return h("article", { class: `clan edge-${seat} ${asked ? "asked" : ""}`, "aria-label": `${texts.clans[seat]}, ${who}` },
    h("h3", {}, emblem(seat, 22), h("span", { class: "name" }, texts.clans[seat]), h("small", { title: who }, who),
      flags.map(([flag, text]) => h("small", { class: `mark ${flag}` }, text)),
      chanceMark(view.chances, seat),
      h("button", { type: "button", class: "points-total", title: `Where ${texts.clans[seat]}'s glory came from`,
        "aria-label": `${clan.glory} glory: where it came from`, onclick: () => actions.score(seat) }, `${clan.glory}`)),
    h("p", { class: "measures" }, h("button", { type: "button", class: "tracks", title: "What each step gives and pays", onclick: actions.stats },
      STATS.map((_, number) => stat(texts, clan, number)))),
    h("p", { class: "figures" }, count("hand", clan.hand, `${counted(clan.hand, "card")} in hand`),
      count("quests", clan.quests, `${counted(clan.quests, "quest")} committed`), figures(texts, clan, seat, "reserve", clan.reserve),
      clan.valhalla.some(Boolean) ? figures(texts, clan, seat, "Valhalla", clan.valhalla) : null,
      supply(texts, clan, seat), barred(texts, clan)),
    h("p", { class: "holds" }, cards, known.length && !hand ? holds(texts, seat, known, actions.list) : null),
    hand?.length ? h("p", { class: "holds face-up", "aria-label": `${texts.clans[seat]}'s hand` }, hand) : null);
}

// Cards that everybody knows a clan to have.
function holds(texts, seat, known, list) {
  const names = known.map((card) => texts.faces[card].title).join(", ");
  const title = `${texts.clans[seat]} holds`;
  return h("button", { type: "button", class: "chip known", title: `${title}: ${names}`, onclick: () => list(title, known) }, `holds ${names}`);
}

function count(kind, number, about) {
  return h("span", { class: `cards-of ${kind}` }, h("span", { class: "faint", "data-term": kind }, kind), " ", h("b", { title: about }, `${number}`));
}

/** All sheets. `actions` are `look(card)`, `list(title, cards)`, `stats()` and `score(seat)`. */
export function drawClans(texts, view, actions) {
  byId("clans").replaceChildren(...view.scene.clans.map((_, seat) => sheet(texts, view, seat, actions)));
}

/** Age and phase. */
export function drawClock(texts, scene) {
  const doomed = (age) => {
    const place = scene.places.findIndex((entry) => entry.doom === age);
    return place < 0 ? "" : `, Ragnarok dooms ${texts.geometry.places[place].name}`;
  };
  byId("ages").replaceChildren(...["I", "II", "III"].map((numeral, age) => {
    const now = age === scene.age && !scene.over;
    return h("li", { class: now ? "now" : "", "aria-current": now ? "step" : null, title: `Age ${age + 1}${doomed(age)}` }, `Age ${numeral}`);
  }));
  byId("phases").replaceChildren(...texts.phases.slice(0, 6).map((name) => {
    const now = name === scene.phase;
    return h("li", { class: now ? "now" : "", "aria-current": now ? "step" : null, "data-term": name }, name);
  }));
}
