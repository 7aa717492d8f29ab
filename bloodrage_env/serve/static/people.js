// Who is at the table, and the links to it: a dialog of the page of a game.

import { show } from "./dialogs.js";
import { byId, h, knownTables, standing, whoPlays } from "./dom.js";
import { linkBox } from "./links.js";
import { watches } from "./watch.js";

// A button to vote that an agent plays for a person who has left; nothing where this person has no vote.
function voteFor(texts, looking, seat, failed) {
  const { view } = looking;
  const { person, agent, votes, until } = view.players[seat];
  const mayVote = !watches(view) && seat !== view.seat && view.players[view.seat].agent === null && !view.scene.over;
  if (person === null || agent !== null || !mayVote) return null;
  const agreed = votes.includes(view.seat);
  const button = h("button", { type: "button", class: "vote", "aria-pressed": String(agreed), onclick: async () => {
    try {
      await looking.vote(seat, !agreed);
    } catch (error) {
      failed(error);
    }
  } }, "Let an agent play");
  const says = [votes.length ? `for it: ${votes.map((each) => texts.clans[each]).join(", ")}` : "", until ? "asked whether they are here" : ""];
  return [h("span", { class: "says" }, says.filter(Boolean).join("; ")), button];
}

/** Show it for the seat whose view is on the screen; `failed(error)` is called when a link can't be made; `evening` shows the games so far. */
export async function people(texts, looking, failed, evening) {
  const { view } = looking;
  const voted = [...byId("dialog").querySelectorAll(".vote")].indexOf(document.activeElement);
  const rows = view.players.map((player, seat) => h("div", { class: `seat clan-${seat}` }, h("span", { class: "clan-name" }, texts.clans[seat]),
    h("span", { class: "who" }, whoPlays(player, seat === view.seat)), standing(player, false).map(([flag, text]) => h("small", { class: `mark ${flag}` }, text)), voteFor(texts, looking, seat, failed)));
  const table = knownTables().find(({ table: token, seats }) => token === looking.token || seats.some((each) => each.token === looking.token));
  const link = table || view.seat === -2 ? h("p", {}, h("a", { class: "button", href: `join#${table?.table ?? looking.token}` }, "To the page of this table"),
    " with its link for others.") : null;
  const device = h("div", { class: "device" });
  const left = rows.some((row) => row.querySelector(".vote")) ? h("p", { class: "faint" },
    "Has somebody left? An agent plays for them once all others who are here agree, until they come back. Who has the game open is asked first, for half a minute.") : null;
  show("This table", [h("div", { class: "people" }, rows), left, evening, link, watches(view) ? null : h("h3", {}, "This seat on another device"),
    watches(view) ? null : device].filter(Boolean));
  if (watches(view)) return;
  byId("dialog").querySelectorAll(".vote")[voted]?.focus();
  try {
    const { box } = await linkBox(looking, "Link of this seat");
    device.replaceChildren(h("p", {}, "Open this link there, and show it to nobody: everyone who has it can play this seat."), ...box);
  } catch (error) {
    failed(error);
  }
}

/** Whether the dialog is open. */
export const showsPeople = () => byId("dialog").open && byId("dialog").querySelector(".people") !== null;
