// Calls a person whose turn it is: a short sound, and a mark in the title.

import { calls } from "./settings.js";

const MARK = "\u25cf ";
const NOTES = [660, 880]; // hertz
const LENGTH = 0.14; // seconds of a note
const LOUDNESS = 0.12;

let context = null;

function sound() {
  context ??= new AudioContext();
  NOTES.forEach((note, number) => {
    const begins = context.currentTime + number * LENGTH;
    const tone = new OscillatorNode(context, { frequency: note });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(LOUDNESS, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(begins);
    tone.stop(begins + LENGTH);
  });
}

// Whether others ask if the person of the view is here.
const asked = ({ players, seat }) => Boolean(players[seat]?.until);

/** The sound, if a seat was not asked by the view before and is by this one. */
export function callFor(before, view) {
  const begins = before && ((!before.question && view.question) || (!asked(before) && asked(view)));
  if (begins && calls(view)) sound();
}

/** The title of the page: `title` of the game, or what the seat of this name is asked. */
export function titleFor(view, name, title) {
  if (asked(view)) return `${MARK}${name}: are you here?`;
  if (!view.question) return title;
  return `${calls(view) ? MARK : ""}${name}: your choice`;
}
