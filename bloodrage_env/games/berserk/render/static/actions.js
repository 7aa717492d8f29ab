// What cards have done (render/actions.py): the actions of a log, and what was done as arrows.

import { iconOf } from "./face.js";

/** All actions of cards in the log, in order: {attacker, text, exchanges, places, last: the entry of the latest step, over}; an exchange is {target, defender, dice, result, hurt}. */
export function fights(log) {
  const found = [];
  log.forEach((entry, number) => {
    for (const step of entry.fight ?? []) {
      if (step.step === "begin") {
        if (found.length) found[found.length - 1].over = true;
        found.push({ attacker: step.who, text: step.text, exchanges: [], places: [], over: false });
      }
      if (!found.length) continue;
      const fight = found[found.length - 1];
      follow(fight, step);
      fight.last = number;
    }
  });
  return found;
}

function follow(fight, step) {
  const { exchanges } = fight;
  if (step.step === "aim") exchanges.push({ target: step.who, defender: null, dice: [], result: "", hurt: [] });
  const now = exchanges[exchanges.length - 1];
  if (step.step === "end") fight.over = true;
  else if (step.step === "place") fight.places.push(step.cell);
  else if (!now) return;
  else if (step.step === "defend") now.defender = step.who;
  else if (step.step === "dice") now.dice = step.dice;
  else if (step.step === "result") now.result = step.text;
  else if (step.step === "wounds") now.hurt.push(...step.hurt);
}

/** The arrows of entries of the log (`Board.follow`): where cards went, a way for all steps of one, and whom they attacked. The fight that goes on has one already. */
export function ways(entries, seen, squad) {
  const found = [];
  for (const [slot, from, to, pushed] of entries.flatMap((entry) => entry.moves ?? [])) {
    const before = found.find((way) => way.slot === slot && way.kind === "step" && way.to === from);
    if (before && !pushed) before.to = to;
    else found.push({ slot, kind: pushed ? "push" : "step", seat: Math.floor(slot / squad), from, to });
  }
  for (const { attacker, text, exchanges, over } of seen) {
    exchanges.forEach(({ target, defender }, number) => {
      if (!over && number === exchanges.length - 1) return;
      found.push({ kind: "attack", seat: attacker.seat, from: attacker.cell, to: (defender ?? target).cell, icon: iconOf(text) });
    });
  }
  return found.filter(({ from, to }) => from !== to);
}
