// Calls a person whose turn it is: a short sound, and a mark in the title.

import { calls } from "./settings.js";
import { playSounds } from "./sounds.js";

const MARK = "\u25cf ";

// Whether others ask if the person of the view is here.
const asked = ({ players, seat }) => Boolean(players[seat]?.until);

/** The sound, if a seat was not asked by the view before and is by this one. */
export function callFor(before, view) {
  const begins = before && ((!before.question && view.question) || (!asked(before) && asked(view)));
  if (begins && calls(view)) playSounds([["turn", 0]]);
}

/** The title of the page: `title` of the game, or what the seat of this name is asked. */
export function titleFor(view, name, title) {
  if (asked(view)) return `${MARK}${name}: are you here?`;
  if (!view.question) return title;
  return `${calls(view) ? MARK : ""}${name}: your choice`;
}
