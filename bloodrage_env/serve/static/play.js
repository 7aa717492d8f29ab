// The page of a game: the seats of this browser, who looks at the screen, and what lies over the board.

import { Board } from "/board/board.js";
import { battles, battleScene, callLine } from "./battle.js";
import { Chooser } from "./choose.js";
import { drawClans, drawClock } from "./clans.js";
import { byId, capital, h, request, withClans } from "./dom.js";
import { Seat } from "./seats.js";
import { Log, score } from "./told.js";
import { fitTiles, tile } from "./tiles.js";

class Play {
  constructor(texts, tokens) {
    this.texts = texts;
    this.board = new Board(byId("board"), texts);
    this.seats = tokens.map((token) => new Seat(token, (seat) => this.changed(seat), (error) => this.troubled(error)));
    this.looking = null; // the seat whose view is on the screen
    this.seen = null; // how many battles whoever looks has seen to the end
    this.watched = null; // the number of a battle that is looked at again
    this.away = null; // what was put aside to look at the board
    this.log = new Log(texts, (number) => this.watch(number));
    this.chooser = new Chooser(texts, this.board, {
      answer: (action) => this.act((seat, number) => seat.answer(number, action)),
      undo: () => this.act((seat, number) => seat.undo(number)),
      drawn: () => this.settled(),
    });
    byId("show-score").addEventListener("click", () => this.score(this.looking?.view.seat ?? 0));
    byId("show-help").addEventListener("click", help);
    addEventListener("resize", () => fitTiles(document));
    for (const seat of this.seats) seat.follow();
  }

  // ---- who looks

  changed(seat) {
    if (this.seats.some((each) => !each.view)) return;
    const asked = this.seats.filter((each) => each.view.question);
    const next = asked.includes(this.looking) ? this.looking : (asked[0] ?? this.looking ?? seat);
    if (this.seats.length === 1 || next === this.looking) this.look(next);
    else this.curtain(next);
  }

  // Nobody sees anything of a hand until the next person says that it is them.
  curtain(next) {
    const name = this.texts.clans[next.view.seat];
    const person = next.view.players[next.view.seat].person;
    document.body.classList.add("curtained");
    byId("curtain").hidden = false;
    byId("dialog").close();
    const ready = h("button", { type: "button", class: "main", onclick: () => {
      byId("curtain").hidden = true;
      document.body.classList.remove("curtained");
      this.seen = null;
      this.log.clear();
      this.look(next);
    } }, `I am ${name}`);
    byId("curtain").replaceChildren(h("div", { class: `pass-on edge-${next.view.seat}` },
      h("h2", {}, `Pass to ${name}`), h("p", {}, person ? `${person}, it is your turn.` : "It is your turn."), ready));
    this.looking = next;
    this.mark();
    ready.focus();
  }

  look(seat) {
    if (!byId("curtain").hidden) return;
    this.looking = seat;
    this.draw();
  }

  // ---- drawing

  draw() {
    const { view } = this.looking;
    const { scene } = view;
    document.title = view.question ? `${this.texts.clans[view.seat]}: your choice` : "Blood Rage";
    this.board.draw(scene);
    drawClock(this.texts, scene);
    drawClans(this.texts, view, {
      look: (card) => this.card(card),
      list: (title, cards) => this.cards(title, cards),
      score: (clan) => this.score(clan),
    });
    this.chooser.show(view);
    this.log.draw(view.log);
    this.stage();
    this.mark();
  }

  settled() {
    if (this.looking?.view) this.stage();
    this.mark();
  }

  // The question that can be answered now, by number, for whatever drives the page: there is none while an answer is sent.
  mark() {
    const open = !this.sending && this.chooser.ready && byId("curtain").hidden;
    const number = open ? this.looking?.view.question?.number : undefined;
    if (number === undefined) delete document.body.dataset.asks;
    else document.body.dataset.asks = number;
  }

  stage() {
    const { view } = this.looking;
    const fought = battles(view.log);
    if (this.seen === null) this.seen = fought.filter((battle) => battle.ended).length;
    const content = this.content(view, fought);
    byId("stage").hidden = !content;
    byId("stage").className = content?.classList.contains("call-line") ? "slim" : "";
    const inside = byId("stage").contains(document.activeElement);
    byId("stage").replaceChildren(...(content ? [content] : []));
    fitTiles(byId("stage"));
    if (inside) byId("stage").querySelector("button")?.focus();
  }

  content(view, fought) {
    if (this.watched !== null && fought[this.watched]) {
      return battleScene(this.texts, view, fought[this.watched], "Back to the board", () => this.watch(null));
    }
    const latest = fought[fought.length - 1];
    if (latest && fought.length > this.seen) {
      const key = `battle ${fought.length}`;
      if (latest.ended) return battleScene(this.texts, view, latest, "Continue", () => { this.seen = fought.length; this.stage(); });
      if (this.away !== key) return battleScene(this.texts, view, latest, "Look at the board", () => this.put(key));
      return this.backTo("Back to the battle");
    }
    if (view.scene.over) return this.away === "end" ? this.backTo("Back to the result") : this.end(view);
    if (view.scene.question?.decision === "DRAFT" && view.question) return this.draft(view);
    if (view.scene.question?.decision === "CALL") return callLine(this.texts, view.scene);
    return null;
  }

  put(key) {
    this.away = key;
    this.stage();
  }

  backTo(text) {
    return h("p", { class: "call-line" }, h("button", { type: "button", class: "main", onclick: () => this.put(null) }, text));
  }

  draft(view) {
    if (this.away === "draft") return this.backTo("Back to the cards");
    const { pack } = view.scene.clans[view.seat].private;
    const picked = view.question.choices.find(({ card }) => card !== null && card === this.chooser.filter.card);
    const keep = picked && h("button", { type: "button", class: "main", id: "keep", onclick: () => this.chooser.answer(picked.action) },
      capital(picked.text));
    return h("div", { class: "draft" },
      h("header", {}, h("h2", {}, "Gods' Gifts: choose a card to keep"),
        h("button", { type: "button", onclick: () => this.put("draft") }, "Look at the board")),
      h("div", { class: "tiles" }, pack.map((card) => this.chooser.tileOf(card))),
      h("p", { class: "faint" }, keep ?? "Click a card, and again to keep it. The others are passed on to the left."));
  }

  end(view) {
    const save = h("button", { type: "button", onclick: () => this.save() }, "Save the replay");
    return h("div", { class: "end" },
      h("header", {}, h("h2", {}, withClans(view.scene.outcome, this.texts)),
        h("button", { type: "button", onclick: () => this.put("end") }, "Look at the board")),
      score(this.texts, view, view.seat, (clan) => this.score(clan)),
      h("p", {}, save, " ", h("a", { class: "button main", href: "/" }, "A new game")));
  }

  watch(number) {
    this.watched = number;
    this.stage();
    byId("leave-battle")?.focus();
  }

  // ---- dialogs

  score(seat) {
    if (this.looking) show("Glory", score(this.texts, this.looking.view, seat, (clan) => this.score(clan)));
  }

  card(card) {
    show(this.texts.faces[card].title, [tile(this.texts, card, { more: "large" }), h("p", {}, capital(this.texts.faces[card].facts))]);
  }

  cards(title, cards) {
    show(title, [h("div", { class: "card-list" }, cards.map((card) => tile(this.texts, card)))]);
    fitTiles(byId("dialog"));
  }

  // ---- what is sent

  async act(send) {
    const seat = this.looking;
    const number = seat.view.question?.number;
    if (number === undefined || this.sending) return;
    this.sending = true;
    document.body.classList.add("sending");
    this.mark();
    try {
      await send(seat, number);
    } catch (error) {
      notice(`That didn't work: ${error.message}.`, 5000);
    } finally {
      this.sending = false;
      document.body.classList.remove("sending");
      this.mark();
    }
  }

  async save() {
    try {
      const link = h("a", { href: URL.createObjectURL(await this.looking.replay()), download: "bloodrage.brz" });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      notice(`That didn't work: ${error.message}.`, 5000);
    }
  }

  troubled(error) {
    if (error === null) {
      if (this.lost) notice("");
      this.lost = false;
    } else {
      this.lost = true;
      notice(error.status ? `${capital(error.message)}.` : "The server doesn't answer; trying again ...");
    }
  }
}

let fading = null;

function notice(text, milliseconds = 0) {
  clearTimeout(fading);
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
  if (milliseconds) fading = setTimeout(() => (byId("notice").hidden = true), milliseconds);
}

function show(title, content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(h("header", {}, h("h2", {}, title),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close")), ...content);
  if (!dialog.open) dialog.showModal();
}

function help() {
  show("How to play here", [
    h("p", {}, "When it is your turn, the box at the upper right is golden and lists all that you may do. The same choices are lit: " +
      "places on the board, figures of your reserve, cards of your hand."),
    h("ul", {},
      h("li", {}, "Invade: click a figure of your reserve, then a place."),
      h("li", {}, "March: click the province where your figures stand, then the one to go to, then how many go."),
      h("li", {}, "Pillage, and all else that can be done at a place: click the place."),
      h("li", {}, "A card: click it, and click it again to play it."),
      h("li", {}, "Escape shows all choices again; Tab and Enter do what clicks do."),
      h("li", {}, "A choice can be taken back until others have acted, or something hidden came to light.")),
    h("p", {}, "Clan sheets show Rage left of its stat, Axes (glory for a won battle), and Horns: figures on the board of how many. " +
      "Click glory for where it came from, and a card for what it does."),
  ]);
}

async function start() {
  const tokens = location.hash.slice(1).split(",").filter(Boolean).slice(0, 5);
  if (!tokens.length) {
    location.replace("/");
    return;
  }
  try {
    const [{ data: texts }, picture] = await Promise.all([request("/api/texts"), fetch("/board/board.svg")]);
    const drawn = new DOMParser().parseFromString(await picture.text(), "image/svg+xml").documentElement;
    drawn.setAttribute("role", "group");
    drawn.setAttribute("aria-label", "The board");
    byId("board").replaceWith(document.importNode(drawn, true));
    new Play(texts, tokens);
  } catch (error) {
    notice(`The page can't be started: ${error.message}. Load it again.`);
  }
}

addEventListener("hashchange", () => location.reload());
start();
