// An agent that can't be asked, such as a language model whose endpoint does not answer: those who play say who plays on.

import { h } from "./dom.js";

/** A line with the reason, and buttons for those who may choose. */
export class Missing {
  /** `choose(again)` sends a choice. */
  constructor(texts, choose) {
    Object.assign(this, { texts, choose, shown: "null" });
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
    const button = (text, again) => h("button", { type: "button", onclick: () => this.choose(again) }, text);
    const buttons = seat === -2 ? [] : [button("Ask again", true), button("Let another agent play", false)];
    this.box.append(h("p", { role: "alert" }, `${this.texts.clans[unavailable.seat]} can't move: ${unavailable.reason}. `, ...buttons));
  }
}
