// The sheet of a place, which a touch opens on a small screen: who stands there, and what can be done.

import { counted, svg } from "../render/elements.js";
import { emblem, icon } from "../board/sheets.js";
import { show } from "../static/dialogs.js";
import { byId, capital, h } from "../static/dom.js";

function facts({ tokens, gods }, { age }, { destroyed, doom, battle, pillaged, token, god }) {
  if (destroyed) return [h("li", {}, "Ragnarok has destroyed it.")];
  return [
    token === null ? null : h("li", {}, svg("svg", { viewBox: "-17 -17 34 34", width: 26, height: 26, "aria-hidden": "true" }, svg("use", { href: `#token-${token}` })),
      pillaged ? `Pillaged: ${tokens[token]} is taken` : `Pillage token: ${tokens[token]}`),
    doom === null ? null : h("li", { class: "cost" }, doom === age ? "† Ragnarok destroys it at the end of this Age." : `† Ragnarok destroys it at the end of Age ${doom + 1}.`),
    battle ? h("li", { class: "cost" }, "A battle is fought here.") : null,
    god === null ? null : h("li", {}, h("b", {}, gods[god][0]), ` (${gods[god][1]}): ${gods[god][2]}`),
  ];
}

function clans(texts, scene, { figures, strength }) {
  const there = scene.clans.map((_, seat) => seat).filter((seat) => strength[seat] || figures.some(([owner]) => owner === seat));
  if (!there.length) return h("p", { class: "faint" }, "No figure stands here.");
  return h("ul", { class: "there" }, there.map((seat) => h("li", { class: `edge-${seat}` },
    h("h3", {}, emblem(seat, 26), texts.clans[seat], strength[seat] ? h("small", {}, h("b", {}, `${strength[seat]}`), " STR") : null),
    figures.some(([owner]) => owner === seat) ? null : h("p", { class: "faint" }, "by figures in the fjord beside it"),
    figures.filter(([owner]) => owner === seat).map(([, kind, count]) => {
      const card = scene.clans[seat].upgrades[kind] ?? null;
      const name = card === null || !texts.kinds[kind].startsWith("monster") ? texts.kinds[kind] : texts.faces[card].title;
      return h("p", {}, icon(texts, seat, kind, 34, null, scene.clans[seat]), counted(count, name));
    }))));
}

/** Show the sheet of a place. `buttons` are those of what can be done there. */
export function placeSheet(texts, { scene }, place, buttons) {
  const { name } = texts.geometry.places[place];
  const entry = { token: null, doom: null, god: null, strength: [], ...scene.places[place] };
  show(capital(name), [h("div", { class: "place" },
    h("ul", { class: "facts" }, facts(texts, scene, entry)),
    entry.destroyed ? null : clans(texts, scene, entry),
    h("h3", {}, "What you can do here"),
    buttons.length ? h("div", { class: "can", onclick: () => byId("dialog").close() }, buttons) : h("p", { class: "faint" }, "Nothing now."))]);
}
