// What a person has set on this computer: how turns end, how fast figures move, light or dark.

import { natural } from "../render/drama.js";
import { h } from "./dom.js";

const KEY = "bloodrage-settings";
export const END_SECONDS = 2; // after which a turn ends by itself, where that is set

const CHOICES = {
  end: ["My turn ends", [["wait", `${END_SECONDS} seconds after my last choice`], ["click", "when I click End turn"]]],
  sound: ["Sounds", [["off", "off"], ["on", "on"]]],
  call: ["A mark in the title, and a sound if sounds are on, say that it is my turn", [["others", "at tables with other people"], ["always", "at all tables"], ["never", "never"]]],
  hint: ["Hints come", [["ask", "when I ask for one"], ["always", "with every question"]]],
  speed: ["Figures and cards move", [["1", "at normal speed"], ["1.5", "slowly"], ["0.4", "fast"], ["0", "at once"]]],
  watch: ["Agents that I watch move", [["1", "at normal speed"], ["4", "slowly"], ["0.25", "fast"], ["0", "at once"]]],
  theme: ["Colours", [["auto", "as this computer has them"], ["light", "light"], ["dark", "dark"]]],
};

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** The value of a setting, a text; the first one where nothing, or nothing that is known, was set. */
export function setting(name) {
  const values = CHOICES[name][1].map(([value]) => value);
  const value = stored()[name];
  return values.includes(value) ? value : values[0];
}

function remembered(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // a private window may keep nothing
  }
}

const NAME = "bloodrage-name";
const LEVEL = "bloodrage-level";

/** The name by which this person took a seat last, "" if there is none. */
export const ownName = () => remembered(NAME);
export const keepName = (name) => remember(NAME, name);

/** The level of agents that this person chose last, "" if there is none. */
export const ownLevel = () => remembered(LEVEL);
export const keepLevel = (level) => remember(LEVEL, level);

/** Whether a person is called when it is their turn, at the table of this view. */
export function calls({ players, seat }) {
  const others = players.some(({ person }, other) => other !== seat && person !== null);
  return setting("call") === "always" || (setting("call") === "others" && others);
}

/** Light or dark, as set; to be called when a page begins. */
export function applyTheme() {
  const theme = setting("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The duration of an animation, from its milliseconds at normal speed; 0 where animations are off. */
export const duration = (milliseconds) => natural(milliseconds) * Number(setting("speed"));

/** Rows to choose by, those named or all but that of tables that are watched; `changed()` is called after each choice. */
export function settingRows(changed, names = Object.keys(CHOICES).filter((name) => name !== "watch")) {
  return names.map((name) => {
    const [label, values] = CHOICES[name];
    const select = h("select", { id: `set-${name}`, onchange: () => {
      remember(KEY, JSON.stringify({ ...stored(), [name]: select.value }));
      applyTheme();
      changed();
    } }, values.map(([value, text]) => h("option", { value }, text)));
    select.value = setting(name);
    return h("p", { class: "row" }, h("label", { for: `set-${name}` }, label), select);
  });
}
