// The review of a game that is over: the page of its replay, what was thought of each decision, the talk with language
// models, and games that go on from a step. The address is `#TOKEN&step=53`. With `&play` the game is shown like a broadcast
// instead: it plays by itself, with all hands and each player's chance to win.

import { ALL, html } from "../render/elements.js";
import { winBar } from "../render/study.js";
import { showTalk } from "../render/talk.js";
import { Player } from "../board/replay.js";
import { beginGame, byId, post, request } from "./dom.js";
import { applyTheme } from "./settings.js";

const POLL = 700; // milliseconds between questions how far the review is

const here = () => location.hash.slice(1).split("&");
const [token] = here();
const plays = here().includes("play");
const headers = { Authorization: `Bearer ${token}` };
const said = html("span", { id: "review-progress", role: "status" });

function begin(button, way, content, label) {
  const make = async () => ({ link: `play#${(await post(`api/seat/${way}`, content, headers)).data.token}`, label });
  return beginGame(button, make, (error) => (said.textContent = `That didn't work: ${error.message}.`));
}

const branch = ({ data }, step, seat, button) => begin(button, "branch", { step, seat }, `${data.texts.clans[seat]}, played on from step ${step} of a game`);

// A costly decision as a puzzle, at a table of its own.
const tryIt = ({ data }, step, seat, button) => begin(button, "try", { step }, `${data.texts.clans[seat]}, a puzzle: step ${step} of a game`);

function controls(player) {
  const clans = player.data.texts.clans.slice(0, player.seats);
  const seat = html("select", { id: "branch-seat", "aria-label": "Who to play on as" },
    ...clans.map((name, value) => html("option", { value }, name)));
  const button = html("button", { type: "button", id: "branch", title: "A new game against agents, from this step" }, "Play on from here as");
  button.addEventListener("click", () => branch(player, player.step, Number(seat.value), button));
  document.querySelector("header").append(said, button, seat, back());
}

const back = () => html("a", { href: `play#${token}` }, "Back to the game");

// The chances to win are those of the network from all hands, so they are there at once; on a phone they are above the board.
function broadcast(player) {
  const { texts, course } = player.data;
  const bar = byId("win-bar");
  bar.style.flex = "1 1 160px";
  said.textContent = "Chances by the network";
  document.querySelector("header").append(html("a", { href: `#${token}` }, "Analyse"), back(), said, bar);
  document.addEventListener("step", () => {
    winBar(bar, texts, course[player.step]);
    bar.hidden = player.viewer !== ALL;
  });
  player.toggle();
}

async function study(player) {
  for (;;) {
    const { data } = await request("api/seat/review", { headers });
    if (data.decisions) {
      said.textContent = "";
      const own = (await request("api/seat", { headers })).data.seat;
      player.study(data, own, (step, button) => tryIt(player, step, data.decisions[step].seat, button));
      return;
    }
    said.textContent = `Analysed ${data.done} of ${data.total}`;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

// Before the player is made, which shows its first step.
async function talk() {
  try {
    const section = html("section", { id: "talk", tabindex: 0, "aria-label": "Talk with the language model", hidden: true });
    showTalk((await request("api/seat/talk", { headers })).data, section);
  } catch (error) {
    document.querySelector("header").append(html("span", { role: "status" }, `No talk with language models: ${error.message}.`));
  }
}

async function start() {
  applyTheme();
  try {
    const { data } = await request("api/seat/game", { headers });
    await talk();
    const player = new Player(data);
    window.player = player;
    if (plays) broadcast(player);
    else {
      controls(player);
      await study(player);
    }
  } catch (error) {
    byId("status").className = "";
    byId("status").textContent = `That didn't work: ${error.message}.`;
  }
}

addEventListener("hashchange", () => (here()[0] !== token || here().includes("play") !== plays) && location.reload());
start();
