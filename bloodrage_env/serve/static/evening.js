// After a game: the next one of the same people, whose seats rotate, and a table of the games so far.

import { h, knownTables, post, rememberGame, rememberSeats, whoPlays } from "./dom.js";

const part = (token, number) => token.split(".")[number];

/** The results of the games of these people, with links to each; nothing while that of this page is the only one. `save(token)` saves a replay. */
export function eveningTable(texts, seat, save) {
  const { players, evening: { results } } = seat.view;
  if (results.every(({ game }) => game === "")) return null; // the screen of the end has it all
  const at = (player, game) => (player + (results.length - 1 - game) * (players.length - 1)) % players.length; // one seat further in each game
  const back = results.at(-1).game === "" ? 0 : 1; // whether the last one is an earlier game
  const place = (player, game) => at((player + back * (players.length - 1)) % players.length, game);
  const token = ({ game }) => (game === "" ? seat.token : `${game}.${part(seat.token, 1)}`);
  const links = (result) => [texts.studied ? h("a", { href: `review#${token(result)}` }, "Review") : null, " ",
    h("button", { type: "button", class: "small", onclick: () => save(token(result)) }, "Replay")];
  const cell = ({ scores, winners }, own) => h("td", { class: winners.includes(own) ? "won" : "" }, `${scores[own]}`, winners.includes(own) ? h("span", { title: "won" }, " ★") : null);
  const wins = (player) => results.filter(({ winners }, game) => winners.includes(place(player, game))).length;
  const names = players.map((player, number) => (player.person || player.agent === null ? player.person || texts.clans[number] : whoPlays(player)));
  return h("section", { class: "evening", tabindex: 0, "aria-label": "The games so far" }, h("h3", {}, results.length > 1 ? `The ${results.length} games so far` : "The last game"),
    h("table", { class: "games" },
      h("thead", {}, h("tr", {}, h("th", {}), results.map((_, game) => h("th", { scope: "col" }, `${game + 1}`)), h("th", { scope: "col" }, "won"))),
      h("tbody", {}, names.map((name, player) => h("tr", {}, h("th", { scope: "row" }, name), results.map((result, game) => cell(result, place(player, game))), h("td", {}, `${wins(player)}`))),
        h("tr", { class: "links" }, h("th", { scope: "row" }, ""), results.map((result) => h("td", {}, links(result))), h("td", {})))));
}

/** A button for the next game with the same people, whose seats rotate; for who watches people this game with all hands, and the next one once it has begun. */
export function again(texts, seats, failed) {
  const { view, token } = seats[0];
  const watches = view.seat === -2;
  const go = async ({ currentTarget: button }) => {
    button.disabled = true;
    try {
      const answers = await Promise.all(seats.map(({ headers }) => post("api/seat/rematch", {}, headers)));
      const tokens = answers.map(({ data }) => data.token);
      move(texts, seats, tokens);
    } catch (error) {
      button.disabled = false;
      failed(error);
    }
  };
  const button = (id, text) => h("button", { type: "button", id, class: "main", onclick: go }, text);
  if (!watches) return button("again", view.evening.next ? "Join the next game" : "Play again, seats rotate");
  return h("span", { id: "again" }, texts.studied ? h("a", { class: "button main", id: "broadcast", href: `review#${token}&play` }, "Watch with all hands") : null,
    view.evening.next ? [" ", button("watch-next", "Watch the next game")] : null);
}

// To the next game, of which this browser keeps the link.
function move(texts, seats, tokens) {
  const count = seats[0].view.players.length;
  const known = knownTables().find((table) => table.seats.some(({ token }) => token === seats[0].token));
  const link = `play#${tokens.join(",")}`;
  const who = seats.map(({ view }) => view.players[view.seat]?.person).filter(Boolean);
  if (known) {
    const table = `${part(tokens[0], 0)}.${part(known.table, 1)}`;
    rememberSeats(table, tokens.map((token, number) => ({ seat: (seats[number].view.seat + 1) % count, token })));
    rememberGame({ link: `join#${table}`, label: `${document.querySelector(".brand").textContent}, as ${who.join(", ")}`, date: Date.now() });
  } else rememberGame({ link, label: `${document.querySelector(".brand").textContent}${who.length ? `, as ${who.join(", ")}` : ""}, another game`, date: Date.now() });
  location.assign(link);
}
