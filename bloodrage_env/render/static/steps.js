// The address of a page with the steps of a game: its part `step=53` is the step that is shown, other parts stay as they are.

/** The step of the address, or null. */
export function stepHere() {
  const found = /[#&]step=([0-9]{1,6})(?:&|$)/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** A link to a step. */
export function linkTo(step) {
  const others = location.hash.slice(1).split("&").filter((part) => part && !part.startsWith("step="));
  return `#${[...others, `step=${step}`].join("&")}`;
}

/** Make the address of the page a link to the step that is shown. */
export function keepStep(step) {
  try {
    history.replaceState(null, "", linkTo(step));
  } catch {
    // in a frame of a notebook there is no address
  }
}
