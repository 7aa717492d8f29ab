// Who is at the table, and the links to it: a dialog of the page of a game.

import { show } from "./dialogs.js";
import { h, knownTables, whoPlays } from "./dom.js";
import { linkBox } from "./links.js";
import { watches } from "./watch.js";

/** Show it for the seat whose view is on the screen; `failed(error)` is called when a link can't be made. */
export async function people(texts, looking, failed) {
  const { view } = looking;
  const rows = view.players.map((player, seat) => h("div", { class: `seat clan-${seat}` }, h("span", { class: "clan-name" }, texts.clans[seat]),
    h("span", { class: "who" }, whoPlays(player, seat === view.seat))));
  const table = knownTables().find(({ table: token, seats }) => token === looking.token || seats.some((each) => each.token === looking.token));
  const link = table || view.seat === -2 ? h("p", {}, h("a", { class: "button", href: `/join#${table?.table ?? looking.token}` }, "To the page of this table"),
    " with its link for others.") : null;
  const device = h("div", { class: "device" });
  show("This table", [h("div", { class: "people" }, rows), link, watches(view) ? null : h("h3", {}, "This seat on another device"),
    watches(view) ? null : device].filter(Boolean));
  if (watches(view)) return;
  try {
    const { box } = await linkBox(looking, "Link of this seat");
    device.replaceChildren(h("p", {}, "Open this link there, and show it to nobody: whoever has it plays this seat."), ...box);
  } catch (error) {
    failed(error);
  }
}
