// The puzzles of a game: that of the day, all others, and which of them this browser has solved.

import { beginGame, byId, capital, gameHere, h, knownGames, MOST_TOKENS, post, request, solvedPuzzles } from "./dom.js";
import { applyTheme } from "./settings.js";

const LINK = /^\/(?:(\w+)\/)?play#(.*)$/;

const failed = (error) => (byId("problem").textContent = `That didn't work: ${error.message}.`);

function begin(button, number) {
  return beginGame(button, async () => ({ link: `play#${(await post("api/puzzles", { number })).data.token}`, label: `Puzzle ${number + 1}` }), failed);
}

function row({ about, solved, of }, number, mine) {
  const done = mine.includes(number);
  return h("li", { "data-number": number }, h("span", {}, h("b", {}, `${number + 1}. `), capital(about)),
    h("span", { class: "says" }, `${solved} of ${of} agents solve it`), h("span", { class: "says" }, done ? "✓ solved" : ""),
    h("button", { type: "button", class: done ? "" : "main", "aria-label": `Solve puzzle ${number + 1}`, onclick: ({ currentTarget }) => begin(currentTarget, number) }, done ? "Again" : "Solve"));
}

function draw({ puzzles, today }) {
  const mine = solvedPuzzles(gameHere());
  byId("record").textContent = puzzles.length ? `You have solved ${puzzles.filter((_, number) => mine.includes(number)).length} of ${puzzles.length}.` : "This game has no puzzles.";
  byId("today").hidden = today === null;
  if (today !== null) byId("today").querySelector("ul").replaceChildren(row(puzzles[today], today, mine));
  byId("all").replaceChildren(...puzzles.map((each, number) => row(each, number, mine)));
}

// Patterns over the latest games of this browser that are finished, with links to where it happened.
async function drawHabits() {
  const own = knownGames().map(({ link, label }) => ({ label, parts: LINK.exec(link) })).filter(({ parts }) => parts && (parts[1] ?? "") === gameHere());
  const seats = own.flatMap(({ label, parts }) => parts[2].split(",").map((token) => ({ label, token }))).slice(0, MOST_TOKENS);
  if (!seats.length) return;
  const { habits } = (await post("api/habits", { tokens: seats.map(({ token }) => token) })).data;
  byId("habits").hidden = habits.length === 0;
  byId("habits").querySelector("ul").replaceChildren(...habits.map(({ text, games }) => h("li", {}, h("b", {}, `${text}.`),
    games.flatMap(([place, steps]) => steps.map((step) => h("a", { href: `review#${seats[place].token}&step=${step}` }, `${seats[place].label}, step ${step}`))))));
}

async function start() {
  applyTheme();
  try {
    const { data } = await request("api/puzzles");
    draw(data);
    await drawHabits();
    addEventListener("pageshow", ({ persisted }) => persisted && draw(data));
  } catch (error) {
    byId("problem").textContent = `${capital(error.message)}.`;
  }
}

start();
