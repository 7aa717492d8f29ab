// The page of a game that has none of its own: the board as text, a button for each choice, the players, the log.

import { notice } from "../static/dialogs.js";
import { byId, h, request, standing, whoPlays } from "../static/dom.js";
import { Question } from "../static/question.js";
import { Table, tokensHere } from "../static/table.js";
import { Log } from "../static/log.js";

class Chooser extends Question {
  draw() {
    this.drawQuestion(this.choices.map(({ action, text }) =>
      h("button", { type: "button", class: "choice wide", onclick: () => this.answer(action) }, text)));
  }
}

class Play extends Table {
  constructor(texts, tokens) {
    super(texts, tokens, texts.file);
    this.log = new Log(texts, () => {});
    this.chooser = new Chooser(texts, null, this.actions());
    byId("title").textContent = texts.title;
    byId("save").addEventListener("click", () => this.save());
    this.begin();
  }

  next() {
    return undefined;
  }

  settled() {
    this.mark();
  }

  card() {}

  draw() {
    const { view } = this.looking;
    const { scene, players, seat: own } = view;
    this.name(this.texts.title);
    byId("field").textContent = scene.over ? `${scene.board}\n\n${scene.result}` : scene.board;
    byId("save").hidden = !scene.over;
    byId("again")?.remove();
    if (scene.over) byId("save").after(this.again() ?? "");
    byId("clans").replaceChildren(...players.map((player, seat) =>
      h("article", { class: `clan edge-${seat} ${scene.question?.seat === seat ? "asked" : ""}` },
        h("h3", {}, player.clan, " ", h("small", {}, whoPlays(player, seat === own)), standing(player, scene.question?.seat === seat).map(([flag, text]) => h("small", { class: `mark ${flag}` }, text))))));
    this.chooser.show(view);
    this.log.draw(view.log);
    this.mark();
    this.wait();
  }
}

async function start() {
  const tokens = tokensHere();
  if (!tokens) return;
  try {
    const { data: texts } = await request("api/texts");
    new Play(texts, tokens);
  } catch (error) {
    notice(`The page can't be started: ${error.message}. Load it again.`);
  }
}

start();
