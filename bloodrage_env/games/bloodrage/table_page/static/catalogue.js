// All cards with their texts, to look through by a filter; cards and clan stats looked at.

import { show } from "../static/dialogs.js";
import { byId, capital, h } from "../static/dom.js";
import { tile } from "../static/tiles.js";

const AGES = ["I", "II", "III"];
const STATS = ["Rage", "Axes", "Horns"];
const FEWEST = 2; // players

const inGame = (face, view) => face.set === "base" || view.sets.includes(face.set);
const copies = (face, age, view) => face.ages[age][view.players.length - FEWEST];

// Where a card is in the decks of this game.
function decks(face, view) {
  const parts = AGES.flatMap((name, age) => (copies(face, age, view) ? [`Age ${name}: ${copies(face, age, view)}`] : []));
  return inGame(face, view) && parts.length ? `In the decks of this game: ${parts.join(", ")}.` : "Not in this game.";
}

// Where copies of it went that are in no hand any more.
function left(card, { discards, gone }) {
  const parts = [discards[card] && `${discards[card]} discarded`, gone[card] && `${gone[card]} that only you saw leave the game`];
  return parts.some(Boolean) ? `${capital(parts.filter(Boolean).join(", "))}.` : "";
}

/** One card, large; `back` opens the list that it was chosen from. */
export function look(texts, view, card, back = null) {
  const face = texts.faces[card];
  show(face.title, [tile(texts, card, { more: "large" }), h("p", {}, capital(face.facts), face.god ? `, of ${face.god}` : ""),
    h("p", {}, decks(face, view)), h("p", { id: "left" }, left(card, view)), ...(back ? [h("button", { type: "button", id: "cards-back", onclick: back }, "Back to the cards")] : [])]);
}

const fits = (face, view, { text, type, age, all }) =>
  (all || inGame(face, view)) && (!type || face.type === type) && (age === "" || copies(face, Number(age), view) > 0)
  && `${face.title} ${face.god ?? ""} ${face.text} ${face.facts}`.toLowerCase().includes(text);

/** All cards in the dialog, by a filter; one that is clicked is shown large. */
export function catalogue(texts, view, before = null) {
  const types = [...new Set(texts.faces.map(({ type }) => type))];
  const text = h("input", { type: "search", id: "cards-search", placeholder: "a word of the card", "aria-label": "Search in the cards" });
  const type = h("select", { id: "cards-type", "aria-label": "Type of card" },
    h("option", { value: "" }, "all types"), types.map((each) => h("option", { value: each }, each)));
  const age = h("select", { id: "cards-age", "aria-label": "Age" },
    h("option", { value: "" }, "all Ages"), AGES.map((name, number) => h("option", { value: number }, `Age ${name}`)));
  const all = h("input", { type: "checkbox", id: "cards-all" });
  if (before) [text.value, type.value, age.value, all.checked] = before;
  const values = () => [text.value, type.value, age.value, all.checked];
  const fill = () => {
    const filter = { text: text.value.trim().toLowerCase(), type: type.value, age: age.value, all: all.checked };
    const found = texts.faces.flatMap((face, card) => (fits(face, view, filter) ? [card] : []));
    byId("cards-found").textContent = `${found.length} ${found.length === 1 ? "card" : "cards"}`;
    const back = () => catalogue(texts, view, values());
    byId("cards-list").replaceChildren(...found.map((card) => tile(texts, card, { pick: () => look(texts, view, card, back) })));
  };
  for (const node of [text, type, age, all]) node.addEventListener("input", fill);
  show("Cards", [h("p", { class: "row" }, text, type, age, h("label", { class: "check" }, all, " also of other sets"),
    h("span", { id: "cards-found", class: "faint", role: "status" })), h("div", { id: "cards-list", class: "card-list" })]);
  fill();
  text.focus();
}

/** The stat tracks with what each step gives and pays, and where the clans stand. */
export function stats(texts, view) {
  const steps = texts.bonus.map((_, step) => step);
  const here = (stat, step) => view.scene.clans.flatMap((clan, seat) => (clan.steps[stat] === step ? [seat] : []));
  const row = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell)));
  show("Stats", [
    h("table", { class: "score stats-table" },
      h("thead", {}, h("tr", {}, h("td", {}), steps.map((step) => h("th", { scope: "col" }, `step ${step + 1}`)))),
      h("tbody", {}, STATS.map((name, stat) => row(name, steps.map((step) => [h("b", {}, `${texts.stats[stat][step]}`),
        h("div", {}, here(stat, step).map((seat) => h("span", { class: `clan-mark wins-${seat}`, title: texts.clans[seat] }, texts.letters[seat])))]))),
        row("Glory at the end", texts.bonus.map((bonus) => (bonus ? `+${bonus}` : "–"))))),
    h("p", {}, "Rage: what a clan begins each Age with. Axes: glory for a won battle. Horns: figures that may stand on the board. " +
      "The last row is paid for each stat that stands on the step when the game ends."),
  ]);
}
