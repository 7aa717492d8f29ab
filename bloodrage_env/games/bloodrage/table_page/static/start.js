// The start page of Blood Rage: how many clans there are, and the card sets.

import { byId } from "../static/dom.js";
import { draw, lobby } from "../static/lobby.js";

const MOST = 5; // seats
const FIFTH_CLAN = "p5"; // the card set that five players need
const OTHER_SETS = ["ks", "mystics", "gods"]; // in the order of the engine, by their checkboxes

lobby({
  count: () => Number(byId("players").value),
  options: (seats) => ({
    first_game: byId("first-game").checked,
    sets: [...(seats.length === MOST ? [FIFTH_CLAN] : []), ...OTHER_SETS.filter((name) => byId(name).checked)],
  }),
  ready: () => byId("players").addEventListener("change", draw),
});
