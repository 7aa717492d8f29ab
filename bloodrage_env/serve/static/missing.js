// An agent that can't be asked, such as a language model whose endpoint does not answer: those who play say who plays on.

import { h } from "./dom.js";

/** A line with the reason, and buttons for those who may choose. */
export class Missing {
  /** `act(send)` sends a choice, one at a time. */
  constructor(texts, act) {
    Object.assign(this, { texts, act, shown: "null" });
    this.box = h("div", { id: "missing" });
  }

  /** Show it for the seats of this page, from their views. */
  draw(seats) {
    const { unavailable, seat } = seats[0].view;
    const shown = JSON.stringify(unavailable);
    if (shown === this.shown) return;
    this.shown = shown;
    if (!this.box.isConnected) document.body.append(this.box);
    this.box.replaceChildren();
    if (!unavailable) return;
    const choose = (text, again) => h("button", { type: "button", onclick: () => this.act(() => seats[0].playOn(again)) }, text);
    const buttons = seat === -2 ? [] : [choose("Ask again", true), choose("Let another agent play", false)];
    this.box.append(h("p", { role: "alert" }, `${this.texts.clans[unavailable.seat]} can't move: ${unavailable.reason}. `, ...buttons));
  }
}
