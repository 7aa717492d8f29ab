// Who is at the table, and the links to it: a dialog of the page of a game.

import { show } from "./dialogs.js";
import { byId, h, knownTables, whoPlays } from "./dom.js";
import { linkBox } from "./links.js";
import { watches } from "./watch.js";

// A button to vote that an agent plays for a person who has left; nothing where this person has no vote.
function voteFor(texts, looking, seat, failed) {
  const { view } = looking;
  const { person, agent, votes } = view.players[seat];
  const mayVote = !watches(view) && seat !== view.seat && view.players[view.seat].agent === null && !view.scene.over;
  if (person === null || agent !== null || !mayVote) return null;
  const agreed = votes.includes(view.seat);
  const button = h("button", { type: "button", class: "vote", "aria-pressed": String(agreed), onclick: async () => {
    try {
      await looking.vote(seat, !agreed);
      if (button.isConnected && byId("dialog").open) people(texts, looking, failed);
    } catch (error) {
      failed(error);
    }
  } }, "Let an agent play");
  return [h("span", { class: "says" }, votes.length ? `for it: ${votes.map((each) => texts.clans[each]).join(", ")}` : ""), button];
}

/** Show it for the seat whose view is on the screen; `failed(error)` is called when a link can't be made. */
export async function people(texts, looking, failed) {
  const { view } = looking;
  const rows = view.players.map((player, seat) => h("div", { class: `seat clan-${seat}` }, h("span", { class: "clan-name" }, texts.clans[seat]),
    h("span", { class: "who" }, whoPlays(player, seat === view.seat)), voteFor(texts, looking, seat, failed)));
  const table = knownTables().find(({ table: token, seats }) => token === looking.token || seats.some((each) => each.token === looking.token));
  const link = table || view.seat === -2 ? h("p", {}, h("a", { class: "button", href: `/join#${table?.table ?? looking.token}` }, "To the page of this table"),
    " with its link for others.") : null;
  const device = h("div", { class: "device" });
  const left = rows.some((row) => row.querySelector(".vote")) ? h("p", { class: "faint" },
    "Has somebody left? An agent plays for them once more than half of the other people agree, until they come back.") : null;
  show("This table", [h("div", { class: "people" }, rows), left, link, watches(view) ? null : h("h3", {}, "This seat on another device"),
    watches(view) ? null : device].filter(Boolean));
  if (watches(view)) return;
  try {
    const { box } = await linkBox(looking, "Link of this seat");
    device.replaceChildren(h("p", {}, "Open this link there, and show it to nobody: everyone who has it can play this seat."), ...box);
  } catch (error) {
    failed(error);
  }
}
