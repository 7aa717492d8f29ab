// The start page of Berserk: the decks, or the squads, and the table of a fight.

import { byId, capital, h } from "/static/dom.js";
import { lobby } from "/static/lobby.js";

const SEATS = [0, 1];

// Decks where squads are bought, else squads; the second player begins with the second one.
function fill(texts) {
  const names = byId("setup").value === "full" ? texts.decks : texts.squads;
  for (const seat of SEATS) {
    const select = byId(`cards-${seat}`);
    select.replaceChildren(...names.map((name) => h("option", { value: name }, capital(name))));
    select.value = names[seat];
  }
}

lobby({
  count: () => SEATS.length,
  options: () => {
    const setup = byId("setup").value;
    const cards = SEATS.map((seat) => byId(`cards-${seat}`).value);
    return { setup, combat: byId("combat").value, ...(setup === "full" ? { decks: cards } : { squads: cards }) };
  },
  ready: (texts) => {
    fill(texts);
    byId("setup").addEventListener("change", () => fill(texts));
  },
});
