// The start page of Berserk: how many play, the decks, or the squads, and the table of a fight.

import { byId, capital, h, post } from "../static/dom.js";
import { draw, lobby } from "../static/lobby.js";

const OWN = "own"; // the entry of a file
const own = []; // by seat: of each option, decks and squads, what was read from a file
let texts = null;

const option = () => (byId("setup").value === "full" ? "decks" : "squads");
const count = () => Number(byId("players").value);
const seats = () => Array.from({ length: count() }, (_, seat) => seat);
const usual = (seat) => texts[option()][seat % texts.teams]; // partners begin with the same deck

// A row for the cards of each player.
function rows() {
  byId("cards").replaceChildren(...seats().map((seat) => h("div", { class: "row" },
    h("label", { for: `cards-${seat}` }, `Cards of ${texts.clans[seat]}`),
    h("select", { id: `cards-${seat}`, onchange: () => choose(seat) }),
    h("input", { type: "file", id: `file-${seat}`, accept: ".csv,text/csv,text/plain", hidden: true,
      "aria-label": `File with the cards of ${texts.clans[seat]}`, onchange: (event) => read(seat, event.target.files[0]) }))));
  seats().forEach(fill);
}

// Decks where squads are bought, else squads.
function fill(seat) {
  const select = byId(`cards-${seat}`);
  const file = own[seat][option()];
  select.replaceChildren(...texts[option()].map((name) => h("option", { value: name }, capital(name.replaceAll("_", " ")))),
    ...(file ? [h("option", { value: OWN }, file.name)] : []), h("option", { value: "" }, "a file (CSV) ..."));
  select.value = file ? OWN : usual(seat);
  select.dataset.last = select.value;
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

async function read(seat, file) {
  if (!file) return;
  byId("problem").textContent = "";
  try {
    const { data } = await post("api/lists", { option: option(), name: file.name, text: await file.text() });
    own[seat][option()] = { name: file.name, value: data.value };
    fill(seat);
  } catch (error) {
    byId("problem").textContent = `That file can't be used: ${error.message}.`;
  }
}

// The cards of a seat; nobody chooses those of a seat without a player.
function cardsOf(seat) {
  const chosen = byId(`cards-${seat}`)?.value ?? usual(seat);
  return chosen === OWN ? own[seat][option()].value : chosen;
}

lobby({
  count,
  options: () => ({ setup: byId("setup").value, combat: byId("combat").value, [option()]: texts.clans.map((_, seat) => cardsOf(seat)) }),
  ready: (found) => {
    texts = found;
    const [least, most] = texts.players;
    document.title = byId("title").textContent = texts.title;
    byId("about").textContent = texts.about;
    own.push(...texts.clans.map(() => ({})));
    byId("players").replaceChildren(...Array.from({ length: most - least + 1 }, (_, more) => h("option", { value: least + more }, `${least + more}`)));
    byId("players").value = most;
    byId("players").parentElement.hidden = least === most;
    byId("setup").parentElement.hidden = texts.setups.length === 1;
    byId("players").addEventListener("change", () => {
      rows();
      draw();
    });
    byId("setup").addEventListener("change", () => seats().forEach(fill));
    rows();
  },
});
