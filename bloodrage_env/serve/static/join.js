// The page of a table: visitors take seats by name, or watch; the link of the table, for others.

import { byId, capital, h, post, rememberGame, rememberSeats, request, seatsAt, standing, whoPlays } from "./dom.js";
import { linkBox } from "./links.js";
import { Seat, showConnection } from "./seats.js";
import { applyTheme, keepName, ownName, settingRows } from "./settings.js";

class Join {
  constructor(token, clans) {
    this.token = token;
    this.clans = clans;
    this.table = new Seat(token, () => this.draw(), () => showConnection([this.table]));
    byId("name").value = ownName();
    this.table.follow();
    this.share().catch(() => (byId("stands").textContent = "")); // what is wrong is shown by the table's connection
  }

  async share() {
    const { title, box } = await linkBox(this.table, "Link of the table");
    byId("title").textContent = document.title = title;
    byId("table-link").replaceChildren(...box);
    byId("share").hidden = false;
  }

  say(text) {
    byId("problem").textContent = text;
  }

  // This browser's seats that are still this person's: [{seat, token}].
  own() {
    return seatsAt(this.token).filter(({ seat }) => this.table.view.players[seat]?.free === false);
  }

  draw() {
    const { players, scene } = this.table.view;
    const own = this.own();
    const free = players.filter((player) => player.free).length;
    byId("stands").textContent = scene.over ? "The game is over." : free ? `${free} ${free === 1 ? "seat is" : "seats are"} free.` : "All seats are taken.";
    byId("naming").hidden = !free;
    const rows = players.map((player, seat) => {
      const mine = own.some((each) => each.seat === seat);
      const take = player.free ? h("button", { type: "button", "data-seat": seat, onclick: () => this.claim(seat) }, `Take ${this.clans[seat]}`) : null;
      return h("div", { class: `seat clan-${seat}` }, h("span", { class: "clan-name" }, this.clans[seat]),
        h("span", { class: "who" }, mine ? `${player.person || "a person"} (you)` : whoPlays(player)), standing(player, false).map(([flag, text]) => h("small", { class: `mark ${flag}` }, text)), take);
    });
    const focused = document.activeElement?.dataset.seat;
    byId("seats").replaceChildren(...rows);
    if (focused !== undefined) (byId("seats").querySelector(`[data-seat="${focused}"]`) ?? byId("ways").querySelector("a"))?.focus();
    byId("ways").replaceChildren(
      own.length ? h("a", { class: "button main", id: "play", href: `play#${own.map(({ token }) => token).join(",")}` }, "Play") : "", " ",
      h("a", { class: "button", id: "watch", href: `play#${this.token}` }, "Watch"));
  }

  async claim(seat) {
    this.say("");
    const name = byId("name").value.trim();
    if (!name) {
      this.say("Fill in your name first.");
      byId("name").focus();
      return;
    }
    if (this.claims) return; // a double click takes a seat once
    this.claims = true;
    try {
      const { data } = await post("api/seat/claim", { seat, name }, this.table.headers);
      keepName(name);
      rememberSeats(this.token, [...seatsAt(this.token).filter((each) => each.seat !== seat), { seat, token: data.token }]);
      rememberGame({ link: `join#${this.token}`, label: `${byId("title").textContent}, as ${name}`, date: Date.now() });
      this.draw();
    } catch (error) {
      this.say(`${capital(error.message)}.`);
    } finally {
      this.claims = false;
    }
  }
}

async function start() {
  const token = location.hash.slice(1);
  if (!token) {
    location.replace("/");
    return;
  }
  document.querySelector("footer").prepend(...settingRows(() => {}, ["theme"]));
  try {
    const { data } = await request("api/texts");
    new Join(token, data.clans);
  } catch (error) {
    byId("problem").textContent = `The server doesn't answer: ${error.message}.`;
  }
}

applyTheme();
addEventListener("hashchange", () => location.reload());
start();
