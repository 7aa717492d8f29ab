// The page of a game of Berserk: the board, the players, the cards, and the end.

import { notice, settings, show } from "/static/dialogs.js";
import { byId, capital, h, request, withClans } from "/static/dom.js";
import { startParts } from "/static/parts.js";
import { Table, tokensHere } from "/static/table.js";
import { Log } from "/static/told.js";
import { fitTiles } from "/static/tiles.js";
import { watches } from "/static/watch.js";
import { Board } from "./board.js";
import { Chooser } from "./choose.js";

const SETTINGS = ["end", "theme"]; // figures don't move here, and there are no hints

class Play extends Table {
  constructor(texts, tokens) {
    super(texts, tokens, "berserk.bsk");
    this.board = new Board(byId("field"), texts, (cell) => this.chooser.pickCell(cell));
    this.log = new Log(texts, () => {});
    this.chooser = new Chooser(texts, this.board, this.actions());
    this.away = false; // whether the result was put aside to look at the board
    byId("show-cards").addEventListener("click", () => show("Cards", [h("div", { class: "card-list" }, texts.faces.map((_, card) => this.tile(card)))]));
    byId("show-settings").addEventListener("click", () => this.open() && settings(() => this.draw(), [], SETTINGS));
    byId("show-help").addEventListener("click", help);
    this.begin();
  }

  // ---- what the table asks for

  next() {
    return undefined; // nothing is shown over the board that has to be looked at first
  }

  settled() {
    if (this.looking?.view) this.drawCards();
    this.mark();
  }

  card(card) {
    const { title, text, facts, type } = this.texts.faces[card];
    show(title, [h("p", {}, `${capital(type)}, ${facts}.`), h("p", {}, text)]);
  }

  draw() {
    const { view } = this.looking;
    const { scene } = view;
    document.title = view.question ? `${this.texts.clans[view.seat]}: your choice` : "Berserk";
    byId("head").textContent = scene.head;
    this.board.draw(scene);
    this.drawPlayers(view);
    this.chooser.show(view);
    this.log.draw(view.log);
    this.drawCards();
    this.stage();
    this.mark();
    this.wait();
  }

  // ---- parts

  drawPlayers({ players, scene, seat: own }) {
    byId("clans").replaceChildren(...players.map(({ clan, person, agent }, seat) => {
      const cards = scene.cards.filter((card) => card.seat === seat);
      const dead = scene.graveyards[seat];
      const who = agent ?? (person || (seat === own ? "you" : "a person"));
      return h("article", { class: `clan edge-${seat} ${scene.question?.seat === seat ? "asked" : ""}` },
        h("h3", {}, clan, " ", h("small", {}, who)),
        h("p", {}, `${cards.length} on the board`),
        h("p", {}, `Graveyard: ${dead.length ? "" : "empty"}`, dead.map((card) => h("button", { type: "button", class: "chip", "data-card": card,
          onclick: () => this.card(card) }, this.texts.faces[card].title))));
    }));
  }

  // What can be bought, or else the card that is picked.
  drawCards() {
    const { view } = this.looking;
    const { slot, card } = this.chooser.filter;
    const picked = view.scene.cards.find((each) => each.slot === slot);
    const faint = (text) => h("p", { class: "faint" }, text);
    if (watches(view)) byId("hand").replaceChildren(faint("You watch agents play, and see all their cards."));
    else if (view.own.length) {
      byId("hand").replaceChildren(h("div", { class: "tiles" }, view.own.map(([each, copies, bought]) => {
        const can = view.question?.choices.some((choice) => choice.card === each);
        const mark = bought ? `${bought} of ${copies} bought` : copies > 1 ? `${copies} copies` : "";
        return this.tile(each, mark, can ? () => this.chooser.pickCard(each) : null, each === card);
      })));
    } else byId("hand").replaceChildren(picked ? this.tile(picked.card) : faint("Click a card to read it."));
    fitTiles(byId("hand"));
  }

  tile(card, mark = "", pick = null, picked = false) {
    const { title, facts, text, type } = this.texts.faces[card];
    const role = pick ? { type: "button", onclick: pick } : {};
    return h(pick ? "button" : "div", { class: `tile ${pick ? "can" : ""} ${picked ? "picked" : ""}`, "data-card": card, ...role },
      h("strong", {}, title), h("em", {}, capital(type)), h("span", { class: "words" }, mark ? h("b", {}, `${mark}. `) : null, `${capital(facts)}. ${text}`));
  }

  stage() {
    const { view } = this.looking;
    const over = view.scene.over && !this.away;
    byId("stage").hidden = !view.scene.over;
    byId("stage").className = this.away ? "slim" : "";
    if (over && !byId("stage").querySelector(".end")) byId("stage").replaceChildren(this.end(view));
    else if (view.scene.over && this.away) {
      byId("stage").replaceChildren(h("button", { type: "button", class: "main", onclick: () => this.put(false) }, "Back to the result"));
    }
  }

  put(away) {
    this.away = away;
    this.stage();
  }

  end({ scene, players }) {
    const rows = players.map(({ clan }, seat) => {
      const cards = scene.cards.filter((card) => card.seat === seat);
      const life = cards.reduce((sum, card) => sum + (card.life ?? 0), 0);
      return h("tr", {}, h("th", { scope: "row" }, clan), [cards.length, life, scene.graveyards[seat].length].map((each) => h("td", {}, `${each}`)));
    });
    const heads = ["", "cards left", "life seen", "cards lost"].map((each) => h("th", { scope: "col" }, each));
    return h("div", { class: "end" },
      h("header", {}, h("h2", {}, withClans(scene.outcome, this.texts)),
        h("button", { type: "button", onclick: () => this.put(true) }, "Look at the board")),
      h("table", { class: "score" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
      h("p", {}, h("button", { type: "button", onclick: () => this.save() }, "Save the replay"), " ",
        h("a", { class: "button main", href: "/" }, "A new game")));
  }
}

function help() {
  show("How to play here", [
    h("p", {}, "When it is your turn, the box at the upper right is golden and lists all that you may do. The same choices are lit on the board."),
    h("ul", {},
      h("li", {}, "To buy a card, click it below the board, and again."),
      h("li", {}, "To place the card that is named, or to choose a target or a defender, click a cell, and again."),
      h("li", {}, "To move, click a card, then the cell it goes to. What else the card can do is in the box."),
      h("li", {}, "A click on a card that can't be chosen shows what it does; so do a right click, a long touch and the key c."),
      h("li", {}, "Escape shows all choices again; Tab and Enter do what clicks do, the keys 1 to 9 the first nine choices."),
      h("li", {}, "Steps can be taken back until your turn ends, or until dice are rolled or a card is turned up. " +
        "A turn ends by End turn, or by itself after two seconds (Settings). What is bought, placed and left face down is final.")),
    h("p", {}, "A card with a broken line lies face down: only its owner sees it. The board is seen from your side."),
  ]);
}

async function start() {
  const tokens = tokensHere();
  if (!tokens) return;
  try {
    const { data: texts } = await request("/api/texts");
    new Play(texts, tokens);
  } catch (error) {
    notice(`The page can't be started: ${error.message}. Load it again.`);
  }
}

startParts();
start();
