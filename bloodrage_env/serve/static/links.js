// The link of a seat or a table: to be copied, or read by a camera.

import { svg } from "../render/elements.js";
import { h, request } from "./dom.js";

const QUIET = 4; // modules around a QR code that stay light

function picture(rows, label) {
  const side = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === "1" ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
  return svg("svg", { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label },
    svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: dark, fill: "#000" }));
}

// Where the page is not one of a secure address, browsers have no clipboard for it; the selection still can be copied.
async function copy(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.focus();
    input.select();
    return document.execCommand("copy");
  }
}

/** What shows the link of a `Seat` of a page, `label` says which: `box`, elements, and the `title` of the game. */
export async function linkBox(seat, label) {
  const { data } = await request("api/seat/link", { headers: seat.headers });
  const input = h("input", { readonly: true, "aria-label": label, value: data.link });
  input.addEventListener("focus", () => input.select());
  const said = h("span", { class: "says", role: "status" });
  const button = h("button", { type: "button", class: "copy", onclick: async () => {
    said.textContent = (await copy(input)) ? "Copied." : "Copy it from the field.";
  } }, "Copy");
  const box = [h("p", { class: "row link" }, input, button, said)];
  if (!data.open) {
    box.push(h("p", { class: "local", role: "note" }, h("b", {}, "Only this computer can open the link. "), "To let others in your network join, start the server with ",
      h("code", {}, "bloodrage serve --host 0.0.0.0"), ". Then everybody in the network can begin games here, and the connection is not encrypted."));
  }
  if (data.code) box.push(picture(data.code, `QR code: ${label}`));
  return { title: data.title, box };
}
