// Ways about the page: one part of the table at a time where the screen has no room for all, a menu there, skip links.

import { byId } from "./dom.js";

const NARROW = matchMedia("(max-width: 999px)");

/** Show a part: board, hand, clans or log. It makes a difference on a narrow screen only. */
export function showPart(name) {
  document.body.dataset.part = name;
  for (const button of document.querySelectorAll("#parts [data-part]")) button.setAttribute("aria-pressed", String(button.dataset.part === name));
  dispatchEvent(new Event("resize")); // what was hidden had no size
}

function openMenu(open) {
  byId("menu").classList.toggle("open", open);
  byId("show-menu").setAttribute("aria-expanded", String(open));
}

/** Make them work. */
export function startParts() {
  for (const button of document.querySelectorAll("#parts [data-part]")) button.addEventListener("click", () => showPart(button.dataset.part));
  showPart("board");
  byId("show-menu").addEventListener("click", () => openMenu(!byId("menu").classList.contains("open")));
  byId("menu").addEventListener("click", () => openMenu(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && openMenu(false));
  for (const link of document.querySelectorAll(".skips a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault(); // the address has the token, and keeps it
      const name = link.hash.slice(1);
      if (NARROW.matches && name !== "question") showPart(name);
      byId(name).tabIndex = -1;
      byId(name).focus();
    });
  }
}
