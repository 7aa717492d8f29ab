// The page to learn a game: the guided games, the rules in short and in full, all cards, and the terms.

import { startArt } from "./art.js";
import { beginGame, byId, capital, gameHere, h, lessonRows, post, request } from "./dom.js";
import { contents, loadRules, primerParts, rulesParts } from "./rules.js";
import { applyTheme, settingRows } from "./settings.js";
import { startTerms } from "./terms.js";

const failed = (error) => (byId("problem").textContent = `That didn't work: ${error.message}.`);

function begin({ number, title, button }) {
  return beginGame(button, async () => ({ link: `play#${(await post("api/lesson", { number })).data.token}`, label: `Lesson: ${title}` }), failed);
}

/** List the lessons of this game on a page, whose `problem` says what went wrong. */
export function listLessons({ lessons }) {
  byId("lessons").replaceChildren(...lessonRows(lessons, gameHere(), begin));
}

// The cards that fit what was typed and chosen.
function gallery(texts, tile) {
  const types = [...new Set(texts.faces.map(({ type }) => type))].sort();
  const word = h("input", { type: "search", id: "gallery-search", placeholder: "a word of the card", "aria-label": "Search in the cards" });
  const type = h("select", { id: "gallery-type", "aria-label": "Type of card" }, h("option", { value: "" }, "all types"),
    types.map((each) => h("option", { value: each }, capital(each))));
  const found = h("span", { class: "faint", role: "status" });
  const list = h("div", { class: "card-list" });
  const fill = () => {
    const wanted = word.value.trim().toLowerCase();
    const cards = texts.faces.flatMap((face, card) =>
      ((!type.value || face.type === type.value) && `${face.title} ${face.text} ${face.facts}`.toLowerCase().includes(wanted) ? [card] : []));
    found.textContent = `${cards.length} ${cards.length === 1 ? "card" : "cards"}`;
    list.replaceChildren(...cards.map((card) => tile(texts, card)));
  };
  word.addEventListener("input", fill);
  type.addEventListener("change", fill);
  fill();
  return [h("p", { class: "row" }, word, type, found), list];
}

/** Make the page work. `tile(texts, card)` makes an element of a card, `picture(name, texts)` of a picture of the primer. */
export async function learn({ tile, picture }) {
  applyTheme();
  document.querySelector("footer").prepend(...settingRows(() => {}, ["theme"]));
  try {
    const { data: texts } = await request("api/texts");
    const [terms] = [await startTerms(), await loadRules(), await startArt()];
    if (texts.about) { // the modes of a game share the page
      document.title = document.querySelector("h1").textContent = `Learn ${texts.title}`;
      byId("about").textContent = texts.about;
    }
    listLessons(texts);
    byId("short").append(...primerParts((name) => picture(name, texts)));
    byId("cards").append(...gallery(texts, tile));
    const listed = Object.entries(terms).filter(([, text], number, all) => all.findIndex(([, each]) => each === text) === number); // not the plural too
    byId("terms").append(h("dl", {}, listed.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])));
    byId("rules").append(...rulesParts(""));
    byId("contents").replaceWith(contents(document.querySelector("main"), (head) => head.scrollIntoView()));
  } catch (error) {
    failed(error);
  }
}
