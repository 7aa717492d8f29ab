// The start page of whatever game: who plays each seat. With visitors to come it leads to the page of the table.

import { beginGame, byId, h, knownGames, post, rememberSeats, request, storeGames } from "./dom.js";
import { listLessons } from "./learn.js";
import { applyTheme, settingRows } from "./settings.js";

// What is said of a seat that is free.
const FREE = { visitor: "takes the seat with the link of the table", anybody: "the start page lists the table; all can watch it" };

let game = null;
let clans = [];
let agents = [];
const chosen = [];

/** Draw the rows of the seats. */
export function draw() {
  const count = game.count();
  byId("seats").replaceChildren(...clans.slice(0, count).map(seatRow));
  const watched = chosen.slice(0, count).every(({ who }) => who.startsWith("agent "));
  byId("new-game").querySelector("[type=submit]").textContent = watched ? "Watch" : "Begin";
}

function seatRow(clan, seat) {
  const pick = h("select", { id: `seat-${seat}`, "aria-label": `Who plays ${clan}` },
    h("option", { value: "person" }, "a person here"),
    h("option", { value: "visitor" }, "a person with the link"),
    h("option", { value: "anybody" }, "anybody (listed)"),
    agents.map(({ spec, says, level }) => h("option", { value: `agent ${spec}`, title: says }, level ? `${level} (${spec})` : spec)));
  pick.value = chosen[seat].who;
  pick.addEventListener("change", () => {
    chosen[seat].who = pick.value;
    draw();
    byId(`seat-${seat}`).focus();
  });
  const agent = agents.find((each) => `agent ${each.spec}` === chosen[seat].who);
  const name = h("input", { maxlength: 24, placeholder: "name (may be empty)", "aria-label": `Name of who plays ${clan}` });
  name.value = chosen[seat].name;
  name.addEventListener("input", () => (chosen[seat].name = name.value));
  const says = agent ? agent.says : FREE[chosen[seat].who] ?? null;
  const what = says === null ? name : h("span", { class: "says" }, says);
  return h("div", { class: `seat clan-${seat}` }, h("span", { class: "clan-name" }, clan), pick, what);
}

function begin(event) {
  event.preventDefault();
  byId("problem").textContent = "";
  const seats = chosen.slice(0, game.count()).map(({ who, name }) =>
    who === "person" ? { person: name } : who === "visitor" ? { visitor: true } : who === "anybody" ? { visitor: who } : { agent: who.slice(6) });
  const make = async () => begun(seats, (await post("api/games", { seats, options: game.options(seats) })).data);
  return beginGame(byId("new-game").querySelector("[type=submit]"), make, (error) => (byId("problem").textContent = `That didn't work: ${error.message}.`));
}

// The game that is made, as `beginGame` takes it.
function begun(seats, { tokens, watch }) {
  const own = tokens.map((token, seat) => ({ token, seat })).filter(({ token }) => token !== null);
  const label = seats.map((seat, number) => `${clans[number]}: ${seat.agent ?? (seat.person || "a person")}`).join(", ");
  const joined = seats.some(({ visitor }) => visitor);
  if (joined) rememberSeats(watch, own);
  return { link: joined ? `join#${watch}` : `play#${watch ?? own.map(({ token }) => token).join(",")}`, label };
}

function drawKnown() {
  const games = knownGames();
  byId("known").hidden = games.length === 0;
  byId("known-list").replaceChildren(...games.map((game) =>
    h("li", {}, h("a", { href: game.link }, game.label), " ",
      h("span", { class: "says" }, new Date(game.date).toLocaleString()), " ",
      h("button", { type: "button", class: "small", "aria-label": `Forget ${game.label}`, onclick: () => {
        storeGames(knownGames().filter((each) => each.link !== game.link));
        drawKnown();
      } }, "forget"))));
}

/**
 * Make the page work. `of` has `count()`, how many seats there are, `options(seats)`, those of the game, and `ready(texts)`,
 * which is called once when the server has said what there is.
 */
export async function lobby(of) {
  game = of;
  applyTheme();
  document.querySelector("footer").prepend(...settingRows(() => {}, ["theme"]));
  drawKnown();
  addEventListener("pageshow", drawKnown); // a page that comes back by the browser's button is not started again
  try {
    agents = (await request("api/agents")).data;
    const texts = (await request("api/texts")).data;
    clans = texts.clans;
    if (texts.lessons.length > 0) {
      byId("learn").hidden = false;
      listLessons(texts);
    }
    game.ready(texts);
  } catch (error) {
    byId("problem").textContent = `The server doesn't answer: ${error.message}.`;
    return;
  }
  const favourite = agents.find((agent) => agent.level === "Medium") ?? agents[0];
  clans.forEach((_, seat) => chosen.push({ who: seat === 0 ? "person" : `agent ${favourite.spec}`, name: "" }));
  byId("new-game").addEventListener("submit", begin);
  byId("new-game").querySelector("[type=submit]").disabled = false;
  draw();
}
