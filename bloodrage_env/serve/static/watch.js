// A table of agents alone: how fast they move, and a pause.

import { h } from "./dom.js";
import { setting, settingRows } from "./settings.js";

const NORMAL = 600; // milliseconds that a move takes at normal speed

/** Whether a view is that of who watches: agents (-1), or people (-2). */
export const watches = (view) => view.seat < 0;

/** The text that a spectator reads in place of a hand. */
export const watched = (view) => (view.seat === -1 ? "You watch agents play, and see all their cards." : "You watch, and see public information.");

export class Watch {
  /** `failed(error)` is called with what went wrong. */
  constructor(failed) {
    this.failed = failed;
    this.paused = false;
    this.button = h("button", { type: "button", id: "pause", class: "wide", onclick: () => this.pause() });
    this.row = h("div", { class: "watch" }, settingRows(() => this.send(), ["watch"]), this.button);
    this.label();
  }

  /** The controls of a seat that watches; the server gets the pace when they are first asked for. */
  controls(seat) {
    if (this.seat !== seat) {
      this.seat = seat;
      this.send();
    }
    return this.row;
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
