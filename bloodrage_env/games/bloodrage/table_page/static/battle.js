// A battle as a scene of its own: call, cards, reveal, sums, outcome.

import { counted } from "../render/elements.js";
import { emblem, icon } from "../board/sheets.js";
import { h, withCards, withClans } from "../static/dom.js";
import { privateCards } from "./choose.js";
import { tile } from "../static/tiles.js";

const STAGES = ["Call to battle", "Cards", "Reveal", "Sums", "Outcome"];
const [CALL, CARDS, REVEAL, SUMS, OUTCOME] = STAGES.keys();

/** All battles of the log, in order: {number, place, pillager, open, sides, stage, winner, fallen: [[seat, kind], ...], lines, end: the entry it ended with}. */
export function battles(log) {
  const found = [];
  let now = null;
  log.forEach((entry, number) => {
    for (const step of entry.battle ?? []) {
      if (step.step === "begin") {
        const sides = step.sides.map(([seat, strength]) => ({ seat, strength, cards: [], total: null }));
        const { phase, age, places, clans } = step; // the table as it was
        now = { number: found.length, phase, age, places, clans, place: step.place, pillager: step.pillager, open: step.open, sides, stage: CARDS, winner: null, fallen: [], lines: [], end: null };
        found.push(now);
      } else if (now) follow(now, step, number);
    }
    if (!now) return;
    const next = entry.lines.findIndex(([kind]) => kind === "heading"); // of a phase after the battle
    const lines = next < 0 ? entry.lines : entry.lines.slice(0, next);
    now.lines.push(...lines.filter(([kind]) => kind === "effect" || kind === "answer").map(([, text]) => text));
    if (now.end !== null) now = null;
  });
  return found;
}

function follow(battle, { step, ...facts }, number) {
  const side = (seat) => battle.sides.find((each) => each.seat === seat);
  if (step === "play") side(facts.seat).cards = [facts.card];
  else if (step === "reveal") {
    for (const [seat, card] of facts.cards) side(seat).cards = facts.again ? [] : [card];
    battle.stage = facts.again ? CARDS : REVEAL;
  } else if (step === "late") side(facts.seat).cards.push(facts.card);
  else if (step === "totals") {
    for (const [seat, strength, total] of facts.sides) Object.assign(side(seat), { strength, total });
    battle.winner = facts.winner;
    battle.stage = SUMS;
  } else if (step === "fall") battle.fallen.push(...facts.figures);
  else if (step === "end") {
    battle.stage = OUTCOME;
    battle.end = number;
  }
}

function place(texts, battle) {
  return texts.geometry.places[battle.place].name;
}

function sideOf(texts, view, battle, side) {
  const chosen = battle.end === null && !side.cards.length && side.seat === view.seat ? privateCards(view).chosen : [];
  const shown = side.cards.length ? side.cards.map((card) => tile(texts, card))
    : chosen.length ? chosen.map((card) => tile(texts, card, { more: "chosen", label: "your choice, not yet shown" }))
    : [h("div", { class: "tile empty" }, h("span", {}, battle.stage !== CARDS ? "no card" : battle.open ? "no card yet" : side.seat === view.seat ? "your card" : "a card in secret"))];
  const won = battle.stage >= SUMS && battle.winner === side.seat;
  const added = side.total === null ? null : side.total - side.strength;
  const sum = added === null ? [h("b", {}, `${side.strength}`), " STR"]
    : [`${side.strength} STR + ${added} = `, h("b", {}, `${side.total}`)];
  const fallen = battle.fallen.filter(([seat]) => seat === side.seat);
  return h("li", { class: `side edge-${side.seat} ${won ? "won" : ""}`, "data-seat": side.seat },
    h("h4", {}, emblem(side.seat, 24), texts.clans[side.seat],
      battle.pillager === side.seat ? h("small", { class: "mark" }, "pillager") : null,
      won ? h("small", { class: "mark winner" }, "wins") : null),
    h("div", { class: "played" }, shown),
    h("p", { class: "sum" }, sum),
    fallen.length ? h("p", { class: "to-valhalla", title: `${counted(fallen.length, "figure")} to Valhalla` },
      fallen.map(([seat, kind]) => icon(texts, seat, kind, 30, null, battle.clans[seat])), h("small", {}, "to Valhalla")) : null);
}

/** The scene of a battle; `close` is called by its button, which says `leave`. */
export function battleScene(texts, view, battle, leave, close) {
  const result = battle.stage < SUMS ? null : battle.winner === null ? "A tie: everybody in it loses" : `${texts.clans[battle.winner]} wins`;
  return h("div", { class: "battle-scene", role: "group", "aria-label": `Battle of ${place(texts, battle)}` },
    h("header", {}, h("h2", {}, `Battle of ${place(texts, battle)}`), result ? h("p", { class: "result" }, withClans(result, texts)) : null,
      h("button", { type: "button", class: battle.end === null ? "" : "main", id: "continue", onclick: close }, leave)),
    h("ol", { class: "stages" }, STAGES.map((name, stage) => h("li", { class: stage === battle.stage ? "now" : stage < battle.stage ? "done" : "" }, name))),
    h("ul", { class: "sides" }, battle.sides.map((side) => sideOf(texts, view, battle, side))),
    h("div", { class: "log-there" }, battle.lines.map((line) => h("p", {}, withCards(line, texts)))));
}

/** A battle of others in a few lines; `next()` is called by its button. */
export function battleBrief(texts, battle, next) {
  const result = battle.winner === null ? "a tie: everybody in it loses" : `${texts.clans[battle.winner]} wins`;
  return h("div", { class: "brief", role: "group", "aria-label": `Battle of ${place(texts, battle)}` },
    h("header", {}, h("h2", {}, `Battle of ${place(texts, battle)}`), h("p", { class: "result" }, withClans(result, texts)),
      h("button", { type: "button", class: "main", id: "continue", onclick: next }, "Continue")),
    h("p", { class: "call-line" }, battle.sides.map(({ seat, strength, cards, total }) =>
      h("span", { class: `clan-tag edge-${seat}`, "data-seat": seat }, `${texts.clans[seat]} ${strength} + ${total - strength} = `, h("b", {}, `${total}`),
        cards.length ? `: ${cards.map((card) => texts.faces[card].title).join(", ")}` : ": no card"))));
}

/** A line over the board while others fight. */
export function battleLine(texts, battle) {
  return h("p", { class: "call-line" }, h("b", {}, `Battle of ${place(texts, battle)}`), " ",
    battle.sides.map(({ seat, strength }) => h("span", { class: `clan-tag edge-${seat}` }, `${texts.clans[seat]} STR ${strength}`)));
}

/** A line over the board while clans are called to a battle. */
export function callLine(texts, scene) {
  const target = scene.question.place;
  const sides = scene.places[target].strength.map((strength, seat) => [strength, seat]).filter(([strength]) => strength);
  return h("p", { class: "call-line" }, h("b", {}, `Call to battle: ${texts.geometry.places[target].name}`), " ",
    sides.map(([strength, seat]) => h("span", { class: `clan-tag edge-${seat}` }, `${texts.clans[seat]} STR ${strength}`)));
}
