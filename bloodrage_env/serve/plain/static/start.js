// The start page of a game that has none of its own: how many play, and who.

import { byId, h } from "../static/dom.js";
import { draw, lobby } from "../static/lobby.js";

lobby({
  count: () => Number(byId("players").value),
  options: () => ({}),
  ready: ({ title, players: [least, most], usual }) => {
    document.title = byId("title").textContent = title;
    const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more);
    byId("players").replaceChildren(...counts.map((count) => h("option", { value: count }, `${count}`)));
    byId("players").value = usual;
    byId("players").addEventListener("change", draw);
  },
});
