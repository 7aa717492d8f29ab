// Pictures of cards: symbols that a page loads once (render/art.py).

import { svg } from "../render/elements.js";

/** The picture of a card. */
export const art = (card) => svg("svg", { class: "art", "aria-hidden": "true" }, svg("use", { href: `#art-${card}` }));

/** Put the symbols in the page. */
export async function startArt() {
  const text = await (await fetch("board/pictures.svg")).text();
  document.body.append(document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
}
