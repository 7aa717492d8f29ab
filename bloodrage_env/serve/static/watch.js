// A table of agents alone: how fast they move, a pause, who is likely to win.

import { h } from "./dom.js";
import { setting, settingRows } from "./settings.js";

const NORMAL = 600; // milliseconds that a move takes at normal speed

/** A mark with the share of the win that a seat can expect, of which partners have a part each; nothing where it is not known. */
export const chanceMark = (chances, seat) => (chances ? h("small", { class: "mark chance", title: "Expected share of the win, by the network from all hands" }, `${Math.round(chances[seat] / 10)} %`) : null);

/** The log entry with which the turn that goes on began: the first of those that name the same player as the last one. */
export function turnStart(log, names) {
  const who = log.map(({ lines }) => lines.filter(([kind]) => kind === "answer").map(([, text]) => names.findIndex((name) => text.startsWith(name))).find((seat) => seat >= 0));
  const last = who.findLastIndex((seat) => seat !== undefined);
  let start = last;
  while (start > 0 && (who[start - 1] === undefined || who[start - 1] === who[last]) && !log[start].lines.some(([kind]) => kind === "heading")) start -= 1;
  return Math.max(0, start);
}

/** Whether a view is that of who watches: agents (-1), or people (-2). */
export const watches = (view) => view.seat < 0;

/** The text that a spectator reads in place of a hand. */
export const watched = (view) => (view.seat === -1 ? "You watch agents play, and see all their cards." : "You watch, and see public information.");

export class Watch {
  /** `failed(error)` is called with what went wrong, `redraw()` when the chances are there. */
  constructor(failed, redraw) {
    Object.assign(this, { failed, redraw, chances: null, log: -1, asks: false });
    this.paused = false;
    this.button = h("button", { type: "button", id: "pause", class: "wide", onclick: () => this.pause() });
    this.row = h("div", { class: "watch" }, settingRows(() => this.send(), ["watch"]), this.button);
    this.label();
  }

  /** The controls of a seat that watches, with more of a game; the server gets the pace when they are first asked for. */
  controls(seat, more) {
    if (this.seat !== seat) {
      this.seat = seat;
      this.send();
    }
    return h("div", { class: "watch" }, this.row, more);
  }

  /** Ask for the chances where the log has grown; one request goes on at a time. */
  async follow(seat) {
    const { log, seat: viewer } = seat.view;
    if (viewer !== -1 || this.asks || log.length === this.log) return;
    this.asks = true;
    this.log = log.length;
    try {
      this.chances = await seat.chances();
      this.redraw();
    } catch (error) {
      this.failed(error);
    } finally {
      this.asks = false;
    }
    if (seat.view.log.length !== this.log) this.follow(seat);
  }

  pause() {
    this.paused = !this.paused;
    this.label();
    this.send();
  }

  label() {
    this.button.textContent = this.paused ? "Go on" : "Pause";
  }

  async send() {
    try {
      await this.seat.pace(Math.round(NORMAL * Number(setting("watch"))), this.paused);
    } catch (error) {
      this.failed(error);
    }
  }
}
