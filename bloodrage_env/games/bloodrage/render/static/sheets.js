// Clan sheets, hands, the battle and the open question of a scene, as HTML.

import { counted, html, svg } from "../render/elements.js";
import { figureParts } from "./board.js";
import { MONSTER_1, MONSTER_2, MYSTIC, WARRIOR } from "./scene.js";

const STEPS = 6;
const STATS = ["Rage", "Axes", "Horns"];

// A figure of a clan; `clan` is that of a scene, whose monsters are drawn as their cards.
export function icon(texts, seat, kind, size, label, clan = null) {
  const hidden = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "-28 -30 58 60", width: size, height: size, class: "figure-icon", ...hidden }, ...figureParts(texts, clan, seat, kind));
}

// The banner of a clan, of this width.
export function emblem(seat, size) {
  return svg("svg", { class: "banner-of", viewBox: "-16 -20 32 40", width: size, height: 1.25 * size, "aria-hidden": "true" }, svg("use", { href: `#banner-${seat}` }));
}

export function card(texts, number, mark = "") {
  const [title, god, text] = texts.cards[number];
  return html("span", { class: "card", title: `${god ? `of ${god}: ` : ""}${text}`, "data-card": number }, mark + title);
}

// How many cards of a kind, and which if they may be seen.
function cards(texts, label, numbers) {
  return [html("span", { class: "label" }, label), ...numbers.map((number) => card(texts, number))];
}

// All cards of a clan that are not on its sheet: only numbers, unless the viewer may see them.
function hidden(texts, clan) {
  const seen = clan.private;
  const parts = cards(texts, `hand ${clan.hand}`, seen ? seen.hand : []);
  parts.push(...cards(texts, `quests ${clan.quests}`, seen ? seen.quests : clan.open_quests));
  if (seen && seen.pack.length) parts.push(...cards(texts, "pack", seen.pack));
  if (seen && seen.chosen.length) parts.push(...cards(texts, "chosen", seen.chosen));
  return html("p", { class: "cards" }, ...parts);
}

function stat(clan, number) {
  const values = [`${clan.rage}/${clan.values[0]}`, `${clan.values[1]}`, `${clan.on_board}/${clan.values[2]}`];
  const step = clan.steps[number];
  const pips = Array.from({ length: STEPS }, (_, i) => html("i", { class: i <= step ? "pip full" : "pip" }));
  return html(
    "span",
    { class: "stat", title: `${STATS[number]}: step ${step + 1} of ${STEPS}` },
    html("span", { class: "label" }, STATS[number]),
    html("b", {}, values[number]),
    html("span", { class: "pips", "aria-hidden": "true" }, ...pips),
  );
}

function away(texts, clan, seat, label, counts) {
  const figures = counts.flatMap((count, kind) => {
    if (!count) return [];
    const shown = icon(texts, seat, kind, 24, counted(count, texts.kinds[kind]), clan);
    return kind === WARRIOR || count > 1 ? [shown, html("b", { "aria-hidden": "true" }, `×${count}`)] : [shown];
  });
  return html("span", { class: "away" }, html("span", { class: "label" }, label), ...(figures.length ? figures : ["–"]));
}

// The Mystics that have not come yet, as counts by kind; nothing in a game without them.
function supply(texts, clan, seat) {
  const left = clan.supply;
  return left ? away(texts, clan, seat, "supply", texts.kinds.map((_, kind) => (kind === MYSTIC ? left : 0))) : null;
}

// The provinces that the clan may not choose to pillage for now.
function barred(texts, clan) {
  const names = clan.barred.map((place) => texts.geometry.places[place].name).join(", ");
  return names ? html("span", { class: "away" }, html("span", { class: "label" }, "no pillage of"), names) : null;
}

function sheet(scene, seat, texts, agents) {
  const clan = scene.clans[seat];
  const asked = scene.question !== null && scene.question.seat === seat;
  const flags = [asked ? "asked" : null, scene.first_player === seat ? "first" : null, clan.passed ? "passed" : null];
  const upgrades = clan.upgrades.flatMap((number, slot) => {
    if (number === null) return [];
    const mark = slot === MONSTER_1 ? "1 " : slot === MONSTER_2 ? "2 " : "";
    return [card(texts, number, mark)];
  });
  return html(
    "section",
    { class: `sheet edge-${seat} ${asked ? "asked" : ""}`, "aria-label": `${texts.clans[seat]}'s clan sheet` },
    html(
      "h2",
      {},
      emblem(seat, 24),
      html("span", {}, texts.clans[seat]),
      agents ? html("small", { class: "agent" }, agents[seat]) : null,
      ...flags.filter(Boolean).map((flag) => html("small", { class: `flag ${flag}` }, flag)),
      html("span", { class: "glory" }, html("b", {}, `${clan.glory}`), html("span", { class: "label" }, " glory")),
    ),
    html("p", { class: "stats" }, ...STATS.map((_, number) => stat(clan, number))),
    upgrades.length ? html("p", { class: "cards" }, html("span", { class: "label" }, "upgrades"), ...upgrades) : null,
    html("p", { class: "figures" }, away(texts, clan, seat, "reserve", clan.reserve), away(texts, clan, seat, "Valhalla", clan.valhalla),
      supply(texts, clan, seat), barred(texts, clan)),
    hidden(texts, clan),
  );
}

export function drawSheets(container, scene, texts, agents = null) {
  container.replaceChildren(...scene.clans.map((_, seat) => sheet(scene, seat, texts, agents)));
}

function side(texts, battle, { seat, strength, cards: played, counted, cancelled }) {
  return html(
    "li",
    {},
    emblem(seat, 20),
    html("b", {}, texts.clans[seat]),
    ` STR ${strength} `,
    ...(played.length ? played.map((number) => card(texts, number)) : [battle.revealed ? "no card" : "no card shown"]),
    counted ? ` counts ${counted}` : null,
    cancelled ? " text cancelled" : null,
    battle.pillager === seat ? html("small", { class: "flag" }, "pillager") : null,
  );
}

export function drawQuestion(container, scene, texts) {
  const parts = [html("p", { class: "question" }, scene.over ? scene.outcome : scene.question.text)];
  const battle = scene.battle;
  if (battle) {
    parts.push(
      html("p", { class: "label" }, `Battle of ${texts.geometry.places[battle.province].name}`),
      html("ul", { class: "battle" }, ...battle.sides.map((one) => side(texts, battle, one))),
    );
  }
  container.replaceChildren(...parts);
}
