// The page of a game of Berserk: the board, the players, the cards, and the end.

import { Advice } from "../static/advice.js";
import { notice, settings, show } from "../static/dialogs.js";
import { byId, capital, h, request, standing, whoPlays, withClans } from "../static/dom.js";
import { allowRow, Hint } from "../static/hint.js";
import { showPart, startParts } from "../static/parts.js";
import { rules } from "../static/rules.js";
import { Table, tokensHere } from "../static/table.js";
import { Log } from "../static/log.js";
import { startArt } from "../static/art.js";
import { startTerms } from "../static/terms.js";
import { svg } from "../render/elements.js";
import { chanceMark, watched, watches } from "../static/watch.js";
import { fights, ways } from "../board/actions.js";
import { Board, SHORT } from "../board/board.js";
import { byCard, fallen, icon, shield, stateOf } from "../board/face.js";
import { fightSequence } from "../board/motion.js";
import { catalogue, deck, look, scrollable, tile } from "./cards.js";
import { Chooser } from "./choose.js";
import { fightScene } from "./fight.js";
import { picture } from "./pictures.js";
import { Recruiting } from "./recruit.js";

const SETTINGS = ["end", "sound", "call", "speed", "theme"];

class Play extends Table {
  constructor(texts, tokens) {
    super(texts, tokens, texts.file);
    this.board = new Board(byId("field"), texts, (cell) => this.pick(cell));
    this.advice = new Advice(this.board.root, (choice) => this.ends(choice));
    this.hint = new Hint(texts, (error) => this.failed(error), () => this.advice.show(this.hint.moves()));
    this.log = new Log(texts, () => {});
    this.chooser = new Chooser(texts, this.board, this.actions());
    this.recruiting = new Recruiting(texts, this.lesson, (actions) => this.chooser.ready && this.actions().answers(actions),
      (number, actions) => this.looking.tried(number, actions).catch((error) => this.failed(error)), () => { this.stage(); this.mark(); });
    this.away = null; // what was put aside to look at the board: the phase
    Object.assign(this, { acted: [], fight: -1, drawn: 0, seen: 0 }); // actions of cards that are marked, the one that is shown, and entries of the log that it was chosen for, and that were seen before what is played
    byId("show-rules").addEventListener("click", () => rules((name) => picture(name, texts)));
    byId("show-cards").addEventListener("click", () => catalogue(texts));
    byId("show-settings").addEventListener("click", () => this.open() && this.settings());
    byId("show-help").addEventListener("click", () => help(texts));
    this.begin();
  }

  // ---- what the table asks for

  next() {
    return undefined; // nothing is shown over the board that has to be looked at first
  }

  settled() {
    if (this.looking?.view) this.drawCards();
    this.mark();
    if (typeof this.chooser.aimed === "number" && this.chooser.ready) this.chooser.aim();
  }

  card(card, slot = null, buttons = []) {
    look(this.texts, card, this.looking?.view?.scene.cards.find((each) => each.slot === slot && each.card !== null) ?? null, buttons);
  }

  // On a small screen a second touch of the card that is picked shows its sheet; the first one leaves the board in view.
  pick(cell) {
    const { slot } = this.chooser.filter;
    const again = SHORT.matches && !this.sending && slot !== undefined && slot === this.chooser.slotAt(cell);
    const { card } = again ? this.looking.view.scene.cards.find((each) => each.slot === slot) : { card: null };
    if (card === null) {
      this.chooser.pickCell(cell);
      return;
    }
    const choices = this.chooser.choices.filter((choice) => choice.slot === slot);
    this.card(card, slot, choices.map((choice) => this.chooser.button(choice, capital(choice.target), "")));
  }

  draw() {
    const { view } = this.looking;
    const { scene } = view;
    this.name(this.texts.title);
    byId("head").textContent = scene.head;
    document.body.classList.toggle("fights", scene.phase === "battle" || scene.over);
    this.board.draw(scene);
    this.drawActions(this.looking);
    this.bring(scene);
    this.watching.follow(this.looking);
    this.drawPlayers(view);
    this.lesson.show(view, null);
    this.chooser.show(view);
    this.hint.draw(this.looking, !this.lesson.goesOn);
    this.log.draw(view.log);
    this.drawCards();
    this.stage();
    this.mark();
    this.wait();
  }

  settings() {
    const { view } = this.looking;
    const allow = (allowed) => this.act((seat) => seat.allowHints(allowed));
    const hints = !watches(view);
    settings(() => this.draw(), hints ? [allowRow(this.texts, view, allow)] : [], hints ? [...SETTINGS, "hint"] : SETTINGS);
  }

  // The points of the board that a choice is about: from the card that moves or attacks, to a cell; a card that has no target yet has a ring.
  ends({ slot, cell }) {
    const { cards, action, turned } = this.looking.view.scene;
    const at = (each) => cards.find((card) => card.slot === each)?.cell ?? null;
    const from = slot === null ? at(action?.attacker) : at(slot);
    const to = cell ?? (slot === null ? null : from);
    if (to === null) return null;
    if (from === to) return [this.board.centre(to, turned)];
    return [from === null ? null : this.board.centre(from, turned), this.board.centre(to, turned)];
  }

  // ---- parts

  // What cards have done since one's own last answer, or, for who watches or has just come, in this turn.
  drawActions(seat) {
    const { log, scene } = seat.view;
    if (watches(seat.view) || !seat.drawn) seat.since = Math.max(0, log.findLastIndex(({ lines }) => lines.some(([kind, text]) => kind === "heading" && text.startsWith("Turn "))));
    if (!this.drama.left()) this.seen = seat.drawn;
    if (this.seen && seat.drawn < log.length) this.drama.play(fightSequence(this.board, log, this.seen, scene), true);
    seat.drawn = log.length;
    this.acted = scene.phase === "battle" ? fights(log).filter(({ over, last }) => !over || last >= seat.since) : [];
    if (this.drawn !== log.length) this.fight = this.acted.length - 1;
    this.drawn = log.length;
    this.board.follow(ways(log.slice(seat.since), this.acted, this.texts.squad), scene.turned);
  }

  // A board that is wider than the screen begins at the own part.
  bring({ parts, near, turned }) {
    if (!parts || this.begun) return;
    const { cells, columns } = this.texts;
    const least = Math.min(...parts[near].map((cell) => (turned ? cells.length - 1 - cell : cell) % columns));
    byId("frame").scrollLeft = 2 * least >= columns ? byId("frame").scrollWidth : 0;
    this.begun = true;
  }

  drawPlayers(view) {
    const { players, scene, seat: own } = view;
    byId("clans").replaceChildren(...scene.names.map((name, seat) => {
      const cards = scene.cards.filter((card) => card.seat === seat);
      const dead = scene.graveyards[seat];
      const who = seat < players.length ? whoPlays(players[seat], seat === own) : null; // nobody has the demon
      const buys = scene.decks[seat];
      const count = buys?.cards.reduce((sum, [, copies]) => sum + copies, 0);
      return h("article", { class: `clan edge-${seat} ${scene.question?.seat === seat ? "asked" : ""}` },
        h("h3", {}, shield(seat, 24), name, " ", h("small", {}, who ?? ""), h("small", { class: "mark" }, scene.roles[seat]),
          who === null ? null : view.seat === -1 ? chanceMark(this.watching.chances, seat) : null,
          who === null ? null : standing(players[seat], scene.question?.seat === seat).map(([flag, text]) => h("small", { class: `mark ${flag}` }, text))),
        buys ? h("p", {}, h("button", { type: "button", class: "chip", onclick: () => deck(this.texts, view, seat) },
          `Deck${buys.name ? ` ${buys.name}` : ""}: ${count} cards${scene.deals ? `, ${scene.deals[seat]} dealt` : ""}`)) : null,
        h("p", {}, this.standing(cards)),
        h("ul", { class: "roster" }, cards.map((card) => this.row(card))),
        scene.gains[seat].length ? h("p", {}, `Start of battle: ${scene.gains[seat].join(", ")}`) : null,
        h("p", {}, `Graveyard: ${dead.length || "empty"}`),
        dead.length ? h("div", { class: "graveyard" }, dead.map(([card, killed]) => this.grave(card, killed))) : null);
    }));
  }

  // A card of a player: its life, and whether it can act.
  row(each) {
    const { slot, card, name, life, whole, closed } = each;
    if (card === null) return h("li", {}, h("span", { class: "faint" }, `face down (${name})`));
    const { title } = this.texts.faces[card];
    return h("li", {}, h("button", { type: "button", "data-card": card, "data-slot": slot, title: stateOf(each) || null, class: closed ? "closed" : "", onclick: () => this.card(card, slot) },
      h("span", { class: "name" }, title), h("meter", { max: whole, value: life, "aria-hidden": "true" }), h("b", {}, `${life}/${whole}`)));
  }

  grave(card, killed) {
    const face = this.texts.faces[card];
    const how = `${face.title}: ${killed ? "an enemy card killed it" : "poison, a bonfire or a card of its own side killed it"}`;
    return h("button", { type: "button", class: "grave", "data-card": card, title: how, "aria-label": how, onclick: () => this.card(card) }, fallen(face, killed));
  }

  // How many cards are left, and where.
  standing(cards) {
    const flyers = cards.filter(({ cell }) => cell >= this.texts.cells.length).length;
    return `${cards.length - flyers} on the board${flyers ? `, ${flyers} in the additional zone` : ""}`;
  }

  where(cell) {
    return cell < this.texts.cells.length ? `on ${this.texts.cells[cell]}` : "in the additional zone";
  }

  // What the question is about: the deal, the squad that is placed or turned up; in the battle the card that is picked.
  drawCards() {
    const { view } = this.looking;
    const { scene, own, seat } = view;
    const faint = (text) => h("p", { class: "faint" }, text);
    const seats = watches(view) ? scene.names.keys() : [seat];
    const before = ["deal", "purchase", "placement", "reveal"].includes(scene.phase);
    const parts = before ? [...seats].filter((each) => own[each]).map((each) => this.recruits(view, each)) : [];
    if (scene.phase === "reveal" && !watches(view)) {
      scene.names.forEach((name, other) => {
        const shown = scene.cards.filter((card) => card.seat === other && card.card !== null);
        if (other !== seat && shown.length) parts.push(this.part(`Seen of ${name}`, shown.map(({ card }) => tile(this.texts, card))));
      });
    }
    const picked = scene.cards.find((each) => each.slot === this.chooser.filter.slot && each.card !== null);
    if (watches(view) && !parts.length) byId("hand").replaceChildren(faint(watched(view)));
    else if (parts.length) byId("hand").replaceChildren(...parts);
    else {
      const shown = picked ? [picked] : scene.cards.filter(({ slot: each, card }) => scene.about.includes(each) && card !== null);
      const tiles = () => (shown.length ? shown.map(({ card, says, notes }) => tile(this.texts, card, { notes: [...says, ...notes], more: "wide" })) : [faint("Click a card to read it.")]);
      byId("hand").replaceChildren(...tiles());
      byId("card").replaceChildren(...tiles()); // the board takes the place of the hand on a wide screen
    }
    byId("card").hidden = scene.phase !== "battle" || scene.over || (this.acted.length > 0 && !picked); // the fight has the cards of the question
    scrollable(byId("hand"));
  }

  part(title, tiles) {
    return h("div", { class: "part" }, h("h3", {}, title), h("div", { class: "tiles" }, tiles));
  }

  // The squad of a seat once it is bought, until then its deal.
  recruits({ scene, own, seat: viewer }, seat) {
    const { deal, placing } = own[seat];
    const whose = seat === viewer ? "Your" : `${scene.names[seat]}:`;
    const bought = deal.filter(([, , count]) => count);
    if (!bought.length) return this.part(`${whose} deal`, deal.flatMap(([card, copies]) => Array.from({ length: copies }, () => tile(this.texts, card))));
    const squad = bought.flatMap(([card, , count]) => {
      const stand = scene.cards.filter((each) => each.seat === seat && each.card === card);
      return Array.from({ length: count }, (_, copy) => {
        const now = card === placing && copy === stand.length;
        const where = stand[copy] ? `${this.where(stand[copy].cell)}${stand[copy].down ? "" : ", face up"}` : now ? "to be placed now" : "";
        return tile(this.texts, card, { mark: where, more: now ? "now" : "" }); // not enlarged: it would cover the cells to place it on
      });
    });
    return this.part(`${whose} squad`, squad);
  }

  stage() {
    const { view } = this.looking;
    const { phase, over } = view.scene;
    const away = this.away === phase;
    const recruiting = this.recruiting.stage(view, () => this.put(phase));
    const shown = over || recruiting;
    const fight = shown ? undefined : this.acted[this.fight];
    byId("stage").hidden = !shown && !fight;
    this.placeStage(away || Boolean(fight));
    if (fight) byId("stage").replaceChildren(fightScene(this.texts, this.acted, this.fight, fight.over ? fight.text : view.scene.action?.text ?? fight.text, (number) => this.turnTo(number)));
    else if (!shown) byId("stage").replaceChildren();
    else if (away) byId("stage").replaceChildren(h("p", { class: "call-line" }, over ? h("b", {}, withClans(view.scene.outcome, this.texts)) : null,
      h("button", { type: "button", class: "main", onclick: () => this.put(null) }, over ? "Back to the result" : "Back to the cards")));
    else if (over && !byId("stage").querySelector(".end")) byId("stage").replaceChildren(this.end(view));
    else if (over && view.evening.next) byId("again")?.replaceWith(this.again());
    else if (recruiting) {
      const top = byId("stage").scrollTop;
      byId("stage").replaceChildren(recruiting);
      byId("stage").scrollTop = top;
      if (this.brought !== recruiting.className + phase) showPart("board"); // what covers the board must be seen
    }
    this.brought = recruiting ? recruiting.className + phase : null;
    this.drama.drawn();
  }

  turnTo(number) {
    this.fight = number;
    this.stage();
    byId("stage").querySelector("button:not(:disabled)").focus();
  }

  put(away) {
    this.away = away;
    this.stage();
    this.wait();
  }

  // What is left of a squad at the end, and what it has lost.
  squad(scene, name, seat) {
    const left = scene.cards.filter((each) => each.seat === seat && each.card !== null);
    return h("section", { class: `edge-${seat}` }, h("h3", {}, shield(seat, 26), name),
      left.length ? h("div", { class: "tiles" }, left.map(({ card }) => tile(this.texts, card))) : h("p", { class: "faint" }, "None of its cards is left."),
      h("div", { class: "graveyard" }, scene.graveyards[seat].map(([card, killed]) => this.grave(card, killed))));
  }

  end({ scene }) {
    const rows = scene.names.map((name, seat) => {
      const cards = scene.cards.filter((card) => card.seat === seat);
      const life = cards.reduce((sum, card) => sum + (card.life ?? 0), 0);
      return h("tr", { class: `edge-${seat}` }, h("th", { scope: "row" }, shield(seat, 18), " ", name), [cards.length, life, scene.graveyards[seat].length].map((each) => h("td", {}, `${each}`)));
    });
    const heads = ["", "cards left", "life seen", "cards lost"].map((each) => h("th", { scope: "col" }, each));
    return h("div", { class: "end" },
      h("header", {}, h("h2", {}, withClans(scene.outcome, this.texts)),
        h("button", { type: "button", onclick: () => this.put(scene.phase) }, "Look at the board")),
      h("table", { class: "score" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
      h("div", { class: "squads" }, scene.names.map((name, seat) => this.squad(scene, name, seat))),
      h("p", { class: "ways" }, this.again(), " ", h("button", { type: "button", onclick: () => this.save() }, "Save the replay"), " ",
        h("a", { class: "button", id: "review", href: `review#${this.looking.token}` }, "Review the game"), " ",
        h("a", { class: "button", href: "/" }, "To the start page")), this.evening());
  }
}

function help({ help: [begins, ends] }) {
  show("How to play here", [
    h("h3", {}, "The game"),
    h("p", {}, begins),
    h("p", {}, "In your turn your cards open, and each open card may move, a step to a free cell beside it for each point of movement, and act once: " +
      "a simple strike at an enemy beside it, diagonally too, or one of its abilities. What has acted is closed: it does nothing until your next turn."),
    h("p", {}, "A strike lands weak, medium or strong by the white die: 1 to 3, 4 or 5, 6; those are the three numbers of a card. An open target answers " +
      "with the black die. The owner of the target may name another open card beside both as the defender, which then closes. " +
      "Armour takes wounds off; a card with as many wounds as life dies. Poison and bonfires wound at the start of turns."),
    h("p", {}, ends),
    h("h3", {}, "The page"),
    h("p", {}, "When it is your turn, the box at the upper right is golden and lists all that you may do. The same choices are lit on the board."),
    h("ul", {},
      h("li", {}, "To buy a squad, tick cards of your deal and confirm them."),
      h("li", {}, "To place the card that is named, or to choose a target or a defender, click a cell, and again."),
      h("li", {}, "To move, click a card, then the cell it goes to; to strike, click a card, then the enemy beside it. What else the card can do is in the box."),
      h("li", {}, "A click on a card that can't be chosen shows what it does; so do a right click, a long touch, the key c, and on a small screen a second touch of a picked card."),
      h("li", {}, "Escape shows all choices again; Tab and Enter do what clicks do, the keys 1 to 9 the first nine choices."),
      h("li", {}, "Steps can be taken back until your turn ends, or until dice are rolled or a card is turned up. " +
        "A turn ends by End turn, or by itself after two seconds (Settings). What is bought, placed and left face down is final.")),
    h("p", {}, "A strike is weak, medium or strong by the white die: 1 to 3, 4 or 5, 6. An open card answers with the black one: " +
      "at 1 to 4 the strike lands, at 5 both miss, at 6 the strike misses and the other strikes back."),
    h("p", {}, "A card with a broken line is face down: only its owner sees it. The board is seen from your side."),
  ]);
}

async function start() {
  const tokens = tokensHere();
  if (!tokens) return;
  try {
    const [{ data: texts }] = await Promise.all([request("api/texts"), startTerms(), startArt()]);
    texts.faces = byCard(texts.faces);
    texts.sign = (name) => svg("svg", { class: "sign", viewBox: "-11 -11 22 22", "aria-hidden": "true" }, icon(name, 0, 0, 1));
    document.querySelector(".brand").textContent = texts.title;
    new Play(texts, tokens);
  } catch (error) {
    notice(`The page can't be started: ${error.message}. Load it again.`);
  }
}

startParts();
start();
