// What is shown in a dialog, and notices.

import { byId, h } from "./dom.js";
import { settingRows } from "./settings.js";
import { tile } from "./tiles.js";

let fading = null;

export function notice(text, milliseconds = 0) {
  clearTimeout(fading);
  byId("notice").textContent = text;
  byId("notice").hidden = false;
  if (milliseconds) fading = setTimeout(() => (byId("notice").hidden = true), milliseconds);
}

export function show(title, content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(h("header", {}, h("h2", {}, title),
    h("button", { type: "button", onclick: () => dialog.close() }, "Close")), ...content);
  if (!dialog.open) dialog.showModal();
  dialog.dispatchEvent(new Event("shown"));
}

/** Some cards; one that is clicked is handed to `look`. */
export function cards(texts, title, numbers, look) {
  show(title, [h("div", { class: "card-list" }, numbers.map((card) => tile(texts, card, { pick: look })))]);
}

/** The settings of these names, or all; `more` are further rows. */
export function settings(changed, more, names) {
  show("Settings", [...settingRows(changed, names), ...more]);
}

export function help() {
  show("How to play here", [
    h("p", {}, "When it is your turn, the box at the upper right is golden and lists all that you may do. The same choices are lit: " +
      "places on the board, figures of your reserve, cards of your hand."),
    h("ul", {},
      h("li", {}, "Invade: click a figure of your reserve, then a place."),
      h("li", {}, "March: click the province where your figures stand, then the one to go to, then how many go."),
      h("li", {}, "Pillage, and all else that can be done at a place: click the place, and again."),
      h("li", {}, "A card: click it, and click it again to play it. A click on another one only selects that."),
      h("li", {}, "A card is shown large by a right click or a long touch, or by the key c; one that can't be chosen, by a click."),
      h("li", {}, "Escape shows all choices again; Tab and Enter do what clicks do, the keys 1 to 9 the first nine choices."),
      h("li", {}, "Your turn can be taken back, a choice or the whole of it, until it ends: by End turn, or by itself " +
        "after two seconds (Settings). What came after something hidden was revealed can be taken back, not what came before.")),
    h("p", {}, "Hint shows what a trained network and its search think of the question, from what your clan knows: how often each move " +
      "was tried, how likely you win after it, and what may follow. Where several people play, all of them have to allow it (Settings)."),
    h("p", {}, "Arrows, + and − on the board show what has changed since you were last asked."),
    h("p", {}, "Clan sheets show Rage left of its stat, Axes (glory for a won battle), and Horns: figures on the board of how many, " +
      "then cards in hand and quests. Click glory for where it came from, the stats for what their steps pay, and a card for what it does."),
    h("p", {}, "Quests are marked met, open or impossible, as the board stands. In a battle each card says what others would have to add: " +
      "it counts the figures and open cards, and not the texts of others' cards."),
  ]);
}
