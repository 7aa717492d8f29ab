// Scenes (render/scene.py): changes from one to the next, and what one viewer sees of a scene with all hands.

import { ALL } from "../render/elements.js";

// Kinds of figure; a monster's is the number of its upgrade's slot, too.
export const WARRIOR = 1;
export const MONSTER_1 = 3;
export const MONSTER_2 = 4;
export const MYSTIC = 5;

// The drawing of a kind of figure of a clan; of a monster, that of its card.
export function lookOf(texts, clan, kind) {
  const { kinds, monsters } = texts.looks;
  const card = kind === MONSTER_1 || kind === MONSTER_2 ? clan?.upgrades[kind] ?? null : null;
  return monsters[card] ?? kinds[kind];
}

export const SECRET = "The clans choose in secret.";

// The value that a change leads to; the old one stays as it is.
export function applied(old, change) {
  if (Array.isArray(change)) return change[0];
  if (!Object.keys(change).length) return old;
  const result = Array.isArray(old) ? old.slice() : { ...old };
  for (const key of Object.keys(change)) result[key] = applied(old[key], change[key]);
  return result;
}

// What `viewer` sees: a seat, or ALL, or null for public information.
export function seenBy(scene, viewer) {
  if (viewer === ALL) return scene;
  const clans = scene.clans.map((clan, seat) => (seat === viewer ? clan : { ...clan, private: null }));
  let question = scene.question;
  if (question && question.secret && question.seat !== viewer) {
    question = { seat: null, decision: null, place: null, card: null, kind: null, text: SECRET, secret: true };
  }
  return { ...scene, clans, question };
}
