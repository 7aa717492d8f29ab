// The seats of this browser, each kept up to date by a request that waits for news.

import { byId, capital, h, post, request } from "./dom.js";

const WAIT = 20; // seconds that the server may let a request wait
const RETRY = 1500; // milliseconds after a request that failed

const parts = (tag) => tag.match(/(\w+)-(\d+)/)?.slice(1) ?? [];

// Whether the view of a tag is later than that of another one, or of another start of the server. Answers to requests that
// run side by side can arrive in another order than they were written in.
function isLater(tag, than) {
  const [[started, number], [before, least]] = [parts(tag), parts(than)];
  return started !== before || Number(number) > Number(least);
}

export class Seat {
  /** `changed(seat, before)` is called with each new view and the one before it, null at first, `reached()` when `error` changes. */
  constructor(token, changed, reached) {
    this.token = token;
    this.headers = { Authorization: `Bearer ${token}` };
    this.changed = changed;
    this.reached = reached;
    this.error = null; // why the server can't be reached, or refuses this seat
    this.tag = "";
    this.view = null;
    this.seen = null; // how many of the things that happened this person has looked at; null before the first view
    this.drawn = 0; // how many entries of the log have been drawn
    this.skew = 0; // milliseconds that the clock of the server is ahead of this one
    this.since = 0; // ... when this person was last asked: what came after is marked
  }

  take(response, view) {
    const tag = response.headers.get("ETag");
    if (!isLater(tag, this.tag)) return;
    this.tag = tag;
    const now = response.headers.get("X-Now"); // of a view with a time
    if (now) this.skew = Number(now) - Date.now();
    const before = this.view;
    this.view = view;
    this.changed(this, before);
  }

  reach(error) {
    if (this.error?.message === error?.message) return;
    this.error = error;
    this.reached();
  }

  async follow() {
    for (;;) {
      // After an error the next answer does not wait for news: it says that the server is there again.
      const news = this.tag ? { "If-None-Match": this.tag, ...(this.error ? {} : { Prefer: `wait=${WAIT}` }) } : {};
      try {
        const { response, data } = await request("api/seat", { headers: { ...this.headers, ...news } });
        this.reach(null);
        if (data) this.take(response, data);
      } catch (error) {
        this.reach(error);
        if (error.status === 401 || error.status === 410) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }

  async send(what, content) {
    const { response, data } = await post(`api/seat/${what}`, content, this.headers);
    this.take(response, data);
  }

  answer(number, action) {
    return this.send("answer", { number, action });
  }

  /** Answers to this question and to those that follow it. */
  answers(number, actions) {
    return this.send("answers", { number, actions });
  }

  /** What the page shows of such answers that are not given yet. */
  async tried(number, actions) {
    return (await post("api/seat/tried", { number, actions }, this.headers)).data;
  }

  undo(number, to) {
    return this.send("undo", { number, to });
  }

  end(number) {
    return this.send("end", { number });
  }

  allowHints(hints) {
    return this.send("allow", { hints });
  }

  /** Whether this person agrees to have an agent play for the person of another seat. */
  vote(seat, agree) {
    return this.send("vote", { seat, agree });
  }

  /** Say that this person is here, to the others who want an agent to play for them. */
  here() {
    return this.send("here", {});
  }

  /** `undo`: what the agent did is undone. */
  comeBack(undo) {
    return this.send("back", { undo });
  }

  /** Ask an agent `again` that could not be asked, or have another one play on. */
  playOn(again) {
    return this.send("agent", { again });
  }

  /** What is done at a puzzle: grade, again, show or leave. */
  puzzle(way) {
    return this.send("puzzle", { way });
  }

  /** How long a move of an agent is shown to spectators. */
  pace(milliseconds, paused) {
    return this.send("pace", { milliseconds, paused });
  }

  /** Each seat's chance to win, in thousandths, for spectators of agents. */
  async chances() {
    return (await request("api/seat/chances", { headers: this.headers })).data.chances;
  }

  /** What is thought of the question of this number. */
  async hint(number) {
    return (await post("api/seat/hint", { number }, this.headers)).data;
  }
}

/** The replay of a game that is over, for a seat of it. */
export async function replayOf(token) {
  const response = await fetch("api/seat/replay", { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.blob();
}

/** Show why the server can't be reached, if so, in an element of its own: other messages are neither replaced nor cleared. */
export function showConnection(seats) {
  const error = seats.map((seat) => seat.error).find(Boolean);
  if (!byId("connection")) document.body.append(h("div", { id: "connection", role: "alert" }));
  byId("connection").textContent = !error ? "" : error.status ? `${capital(error.message)}.` : "The server doesn't answer; trying again ...";
}
