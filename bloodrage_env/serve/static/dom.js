// What the modules of the pages share: elements, requests, the games that this browser knows.

import { html } from "../render/elements.js";

/** An element as `html` makes it; properties `on...` are what listens to its events. */
export function h(tag, properties = {}, ...children) {
  const named = Object.entries(properties);
  const attributes = Object.fromEntries(named.filter(([, value]) => typeof value !== "function"));
  const element = html(tag, attributes, ...children.flat(2));
  for (const [name, value] of named) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
  }
  return element;
}

export const byId = (id) => document.getElementById(id);

/** A text with its first letter in capitals. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Texts and elements for a text in which clans are named: their names in their colours. A monster is not a clan. */
export function withClans(text, texts) {
  return named(text, texts, (title) => title);
}

/** The same, and the names of cards can be clicked (`data-card`). */
export function withCards(text, texts) {
  const titleOf = ({ type, title, glory }) => (type === "quest" ? `${title} (${glory} glory)` : title);
  const cardOf = (title) => Object.keys(texts.faces).find((card) => titleOf(texts.faces[card]) === title); // an id may be that of no card
  return named(text, texts, (title) => h("span", { class: "card-name", "data-card": cardOf(title) }, title));
}

// Quests have the names of regions and of a province: one is meant where its glory follows.
function named(text, texts, asCard) {
  const { clans, faces } = texts;
  const titles = faces.filter(({ type }) => type !== "quest").map(({ title }) => title);
  const quests = faces.filter(({ type }) => type === "quest").map(({ title, glory }) => `${title} \\(${glory} glory\\)`);
  texts.names ??= new RegExp(`(${[...new Set(titles), ...clans, ...new Set(quests)].sort((a, b) => b.length - a.length)
    .map((name) => `\\b${name}${name.endsWith(")") ? "" : "\\b"}`).join("|")})`);
  return text.split(texts.names).map((part, number) => {
    if (number % 2 === 0) return part;
    return clans.includes(part) ? h("span", { class: `clan-name clan-${clans.indexOf(part)}` }, part) : asCard(part);
  });
}

/** JSON from the server, or an Error with its message. */
export async function request(path, options = {}) {
  const response = await fetch(path, { cache: "no-store", ...options });
  if (response.status === 304) return { response, data: null };
  let data = null;
  try {
    data = await response.json();
  } catch {
    data = null;
  }
  if (!response.ok) {
    const error = new Error(data?.error ?? `the server answered with ${response.status}`);
    error.status = response.status;
    throw error;
  }
  return { response, data };
}

export const post = (path, body, headers = {}) =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });

/** How many tokens fit into a request, whose body has 4096 bytes at most. */
export const MOST_TOKENS = 70;

/** Who plays a seat, in words; `own`: whether it is that of the reader. */
export function whoPlays({ person, agent, free }, own = false) {
  if (own) return "you";
  if (agent !== null && person !== null) return `${agent} for ${person || "a person"}`;
  return agent ?? (free ? "nobody yet" : person || "a person");
}

/** How a player stands, as [class, text]: `asked`, whether the seat is asked now. */
export function standing({ person, agent, free, here }, asked) {
  const away = person !== null && agent === null && !free && !here;
  return [asked ? ["asked", agent === null ? "to act" : "thinks"] : null, away ? ["away", "away"] : null].filter(Boolean);
}

/** What this browser keeps of earlier visits by this name: a list, empty where it keeps nothing. */
function kept(name) {
  try {
    const list = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function keep(name, list) {
  try {
    localStorage.setItem(name, JSON.stringify(list));
  } catch {
    // private windows may keep nothing; the link itself is enough
  }
}

const KNOWN = "bloodrage-games";
const LINK = /^(\/\w+)?\/(play|join)#/;

/** Games that this browser has played: [{link, label, date}], the latest first; `link` is a path on this server. */
export const knownGames = () => kept(KNOWN).filter((game) => typeof game?.link === "string" && LINK.test(game.link));

/** Keep a game, whose link may be relative to this page. */
export function rememberGame({ link, ...game }) {
  const { pathname, hash } = new URL(link, location.href);
  const path = pathname + hash;
  const others = knownGames().filter((each) => each.link !== path);
  storeGames([{ link: path, ...game }, ...others].slice(0, 30));
}

/**
 * Begin a game, once: the button is disabled until that has failed or this page is left. `make()` returns its `link` and
 * `label`; `failed(error)` is called with what went wrong.
 */
export async function beginGame(button, make, failed) {
  button.disabled = true;
  addEventListener("pagehide", () => (button.disabled = false), { once: true }); // the page may come back
  try {
    const { link, label } = await make();
    rememberGame({ link, label, date: Date.now() });
    location.assign(link);
  } catch (error) {
    button.disabled = false;
    failed(error);
  }
}

export const storeGames = (games) => keep(KNOWN, games);

/** The game of this page, by its name on the server; "" where the server has one game. */
export const gameHere = () => location.pathname.split("/").slice(1, -1)[0] ?? "";

// What a person can do once and for all in a game, each by its number there.
const SOLVED = "bloodrage-solved";
const FINISHED = "bloodrage-lessons";
const numbers = (name, game) => kept(name).filter((each) => each?.game === game && Number.isInteger(each.number)).map(({ number }) => number);

function keepNumber(name, game, number) {
  if (!numbers(name, game).includes(number)) keep(name, [...kept(name), { game, number }]);
}

/** The puzzles of a game that this browser has solved, as numbers. */
export const solvedPuzzles = (game) => numbers(SOLVED, game);

/** Keep that a puzzle is solved. */
export const rememberSolved = (game, number) => keepNumber(SOLVED, game, number);

/** The lessons of a game that this browser has finished, as numbers. */
export const finishedLessons = (game) => numbers(FINISHED, game);

/** Keep that a lesson is finished. */
export const rememberFinished = (game, number) => keepNumber(FINISHED, game, number);

/** Rows of the lessons of a game by their titles: what this browser has finished is marked; `begin({ number, title, button })` begins one. */
export function lessonRows(titles, game, begin) {
  const done = finishedLessons(game);
  const first = titles.findIndex((_, number) => !done.includes(number));
  return titles.map((title, number) => h("li", { "data-lesson": number }, h("span", {}, title), done.includes(number) ? h("span", { class: "says" }, "✓ finished") : null,
    h("button", { type: "button", class: number === first ? "main" : "", "aria-label": `Begin the lesson ${title}`, onclick: ({ currentTarget }) => begin({ number, title, button: currentTarget }) }, done.includes(number) ? "Again" : "Begin")));
}

const SEATS = "bloodrage-seats";

/** The tables that this browser has the link of, and its seats there: [{table, seats: [{seat, token}]}], the latest first. */
export const knownTables = () => kept(SEATS).filter((each) => typeof each?.table === "string" && Array.isArray(each.seats));

/** Keep the seats that this browser has at the table of this token. */
export function rememberSeats(table, seats) {
  keep(SEATS, [{ table, seats }, ...knownTables().filter((each) => each.table !== table)].slice(0, 30));
}

/** The seats of this browser at a table, by its token. */
export const seatsAt = (table) => knownTables().find((each) => each.table === table)?.seats ?? [];
