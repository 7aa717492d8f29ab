// The start page of Berserk: the decks, or the squads, and the table of a fight.

import { byId, capital, h, post } from "/static/dom.js";
import { lobby } from "/static/lobby.js";

const SEATS = [0, 1];
const OWN = "own"; // the entry of a file
const own = [{}, {}]; // by seat: of each option, decks and squads, what was read from a file

const option = () => (byId("setup").value === "full" ? "decks" : "squads");

// Decks where squads are bought, else squads; the second player begins with the second one.
function fill(texts) {
  const names = texts[option()];
  for (const seat of SEATS) {
    const select = byId(`cards-${seat}`);
    const read = own[seat][option()];
    select.replaceChildren(...names.map((name) => h("option", { value: name }, capital(name.replaceAll("_", " ")))),
      ...(read ? [h("option", { value: OWN }, read.name)] : []), h("option", { value: "" }, "a file (CSV) ..."));
    select.value = read ? OWN : names[seat];
    select.dataset.last = select.value;
  }
}

// The entry that asks for a file is never chosen: the one before is, until the server has taken the file.
function choose(seat) {
  const select = byId(`cards-${seat}`);
  if (select.value) {
    select.dataset.last = select.value;
    return;
  }
  select.value = select.dataset.last;
  const input = byId(`file-${seat}`);
  input.value = "";
  input.click();
}

async function read(texts, seat, file) {
  if (!file) return;
  byId("problem").textContent = "";
  try {
    const { data } = await post("/api/lists", { option: option(), name: file.name, text: await file.text() });
    own[seat][option()] = { name: file.name, value: data.value };
    const others = byId(`cards-${1 - seat}`).value;
    fill(texts);
    byId(`cards-${1 - seat}`).value = others;
  } catch (error) {
    byId("problem").textContent = `That file can't be used: ${error.message}.`;
  }
}

lobby({
  count: () => SEATS.length,
  options: () => {
    const setup = byId("setup").value;
    const cards = SEATS.map((seat) => (byId(`cards-${seat}`).value === OWN ? own[seat][option()].value : byId(`cards-${seat}`).value));
    return { setup, combat: byId("combat").value, [option()]: cards };
  },
  ready: (texts) => {
    fill(texts);
    byId("setup").addEventListener("change", () => fill(texts));
    for (const seat of SEATS) {
      byId(`cards-${seat}`).addEventListener("change", () => choose(seat));
      byId(`file-${seat}`).addEventListener("change", (event) => read(texts, seat, event.target.files[0]));
    }
  },
});
