// Whether people are here: who is asked by the others has a while to say so, before an agent plays for them.

import { byId, h } from "./dom.js";

const TICK = 500; // milliseconds

/** A line for each person who is asked, with a countdown; for a seat of this page with a button. */
export class Here {
  /** `failed(error)` is called when the answer can't be sent. */
  constructor(texts, failed) {
    Object.assign(this, { texts, failed, asked: [], shown: "" });
    this.box = h("div", { id: "asked" });
  }

  /** Show it for the seats of this page, from their views. */
  draw(seats) {
    const { players } = seats[0].view;
    this.asked = players.flatMap(({ until, person }, seat) =>
      (until === null ? [] : [{ until, person, own: seats.find(({ view }) => view.seat === seat), skew: seats[0].skew, seat }]));
    const shown = JSON.stringify(this.asked.map(({ seat, until }) => [seat, until]));
    if (shown !== this.shown) this.box.replaceChildren(...this.asked.map((each) => this.line(each)));
    this.shown = shown;
    clearInterval(this.ticking);
    if (this.asked.length) this.ticking = setInterval(() => this.tick(), TICK);
    this.tick();
  }

  line({ seat, person, own }) {
    const clan = this.texts.clans[seat];
    const name = person ? `${person} (${clan})` : clan;
    const text = own ? `${name}, are you here? The others want an agent to play for you.` : `${name} is asked: are you here?`;
    const left = h("span", { class: "left", "aria-hidden": "true" });
    const button = own && h("button", { type: "button", class: "main here", onclick: () => own.here().catch(this.failed) }, "I am here");
    return h("p", { role: own ? "alert" : "status" }, `${text} `, left, button || null);
  }

  // A dialog that is open covers all that is not in it.
  tick() {
    const place = byId("dialog").open ? byId("dialog") : document.body;
    if (this.box.parentElement !== place) place.append(this.box);
    this.box.querySelectorAll(".left").forEach((left, number) => {
      const { until, skew } = this.asked[number];
      left.textContent = `${Math.max(0, Math.ceil((until - Date.now() - skew) / 1000))} s`;
    });
  }
}
