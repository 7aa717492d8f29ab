// The start page of all games: a game at once, tables to join, games to watch, and those of this browser.

import { beginGame, byId, capital, h, knownGames, lessonRows, MOST_TOKENS, post, request, seatsAt, storeGames } from "./dom.js";
import { applyTheme, keepLevel, ownLevel, settingRows } from "./settings.js";

const NEWS = 10_000; // milliseconds between two looks at the tables
const RETRY = 1500; // milliseconds until a server that is full, or loads the game, is asked again
const LINK = /^\/(?:(\w+)\/)?(play|join)#(.*)$/;

let games = null;

const failed = (error) => (byId("problem").textContent = `That didn't work: ${error.message}.`);

// The answer of a game, once it is loaded and the server is not full.
async function patient(path, content) {
  for (;;) {
    try {
      return (await post(path, content)).data;
    } catch (error) {
      if (error.status !== 503) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

async function begin(button, { name, title }, path, content, label) {
  byId("problem").textContent = "";
  byId("waits").textContent = `Preparing ${title}. The first time takes a minute or two.`;
  await beginGame(button, async () => ({ link: `/${name}/play#${(await patient(`/${name}/api/${path}`, content)).token}`, label }), failed);
  byId("waits").textContent = "";
}

// How the games of tokens stand, in their order.
async function standsOf(name, tokens) {
  const stands = [];
  for (let at = 0; at < tokens.length; at += MOST_TOKENS) stands.push(...(await patient(`/${name}/api/own`, { tokens: tokens.slice(at, at + MOST_TOKENS) })).stands);
  return stands;
}

function gameBox(game) {
  const { name, title, about, lessons, puzzles, picture } = game;
  const button = (text, kind, way) => h("button", { type: "button", class: kind, onclick: ({ currentTarget }) => begin(currentTarget, game, ...way()) }, text);
  return h("section", { "data-game": name, "aria-labelledby": `title-${name}` },
    picture ? h("img", { src: `/title/${name}.svg`, alt: "", width: 160, height: 62 }) : null, h("h2", { id: `title-${name}` }, title), h("p", {}, about),
    h("p", { class: "ways" },
      button("Play now", "main now", () => ["now", { level: byId("level").value }, `${title}, against agents`]),
      h("a", { class: "button", href: `/${name}/` }, "Set up"), lessons.length ? h("a", { href: `/${name}/learn` }, "Rules") : null, puzzles ? h("a", { href: `/${name}/puzzles` }, "Puzzle of the day") : null));
}

// The lessons of all games, one game after the other.
function drawLessons() {
  fill("learn", games.filter(({ lessons }) => lessons.length).map((game) => h("li", {}, h("b", {}, game.title),
    h("ul", {}, lessonRows(game.lessons, game.name, ({ number, title, button }) => begin(button, game, "lesson", { number }, `${game.title}, lesson: ${title}`))))));
}

function fill(id, rows) {
  byId(id).querySelector("ul").replaceChildren(...rows);
  if (id !== "open") byId(id).hidden = rows.length === 0;
}

function tableRow({ game, token, people, free, seats }, way, path) {
  const title = games.find(({ name }) => name === game).title;
  const who = people.length ? `with ${people.join(", ")}` : "nobody is there yet";
  return h("li", {}, h("span", {}, `${title}, ${who}`), h("span", { class: "says" }, free ? `${free} of ${seats} seats free` : ""),
    h("a", { class: "button", href: `/${game}/${path}#${token}` }, way));
}

function drawTables(tables) {
  fill("open", tables.filter(({ free }) => free).map((table) => tableRow(table, "Join", "join")));
  fill("going", tables.filter(({ free }) => !free).map((table) => tableRow(table, "Watch", "play")));
}

// The tokens of a stored link: those of the seats of a table, if this browser has any.
function tokensOf(page, tokens) {
  const own = page === "join" ? seatsAt(tokens).map(({ token }) => token) : [];
  return own.length ? own : tokens.split(",");
}

function said(stands) {
  const known = stands.filter(Boolean);
  if (!known.length) return "is gone";
  if (known.some(({ over }) => over)) return "is over";
  if (known.some(({ asked }) => asked)) return h("b", { class: "asked" }, "your turn");
  return known[0].turn ? `waits for ${known[0].turn}` : "others choose in secret";
}

// Games of servers with one game have links that do not name it: the page of such a link finds it.
async function drawOwn() {
  const own = knownGames().map((game) => ({ ...game, parts: LINK.exec(game.link) }));
  const rows = own.map(({ link, label, date }) => h("li", {}, h("a", { href: link }, label), h("span", { class: "stands" }, ""),
    h("span", { class: "says" }, new Date(date).toLocaleString()),
    h("button", { type: "button", class: "small", "aria-label": `Forget ${label}`, onclick: () => {
      storeGames(knownGames().filter((each) => each.link !== link));
      drawOwn();
    } }, "forget")));
  fill("own", rows);
  for (const { name } of games) {
    const mine = own.flatMap(({ parts: [, game, page, tokens] }, number) => (game === name ? [{ number, tokens: tokensOf(page, tokens) }] : []));
    if (!mine.length) continue;
    const stands = await standsOf(name, mine.flatMap(({ tokens }) => tokens));
    let next = 0;
    for (const { number, tokens } of mine) {
      rows[number].querySelector(".stands").replaceChildren(said(stands.slice(next, next + tokens.length)));
      next += tokens.length;
    }
  }
}

async function look() {
  const { data } = await request("/api/front");
  if (!games) {
    games = data.games;
    byId("games").replaceChildren(...games.map(gameBox));
    drawLessons();
  }
  drawTables(data.tables);
}

async function start() {
  applyTheme();
  document.querySelector("footer").prepend(...settingRows(() => {}, ["theme"]));
  byId("level").value = ownLevel() || byId("level").value;
  byId("level").addEventListener("change", () => keepLevel(byId("level").value));
  try {
    await look();
    await drawOwn();
  } catch (error) {
    byId("problem").textContent = `${capital(error.message)}.`;
  }
  setInterval(() => !document.hidden && look().catch(() => {}), NEWS);
  addEventListener("pageshow", ({ persisted }) => persisted && (drawLessons(), drawOwn().catch(failed)));
}

start();
