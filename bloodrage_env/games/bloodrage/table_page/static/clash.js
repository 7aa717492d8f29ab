// A battle that is seen to be fought: its cards turn over one by one while the sums count up, then its losers fall.

const TURN = 260; // milliseconds in which a card turns over ...
const NEXT = 150; // ... and until the next one does
const END = 260; // in which the winner is named, and figures fall

const find = (selector) => () => document.querySelector(`#stage ${selector}`); // what is drawn then

const summed = ({ sides }) => sides.every(({ total }) => total !== null);

/** What is seen of a battle: how many cards of each side, whether its sums, and how many figures that fell. */
export const stateOf = (battle) => ({ cards: battle.sides.map(({ cards }) => cards.length), sums: summed(battle), fallen: battle.fallen.length });

/** The sequence (`Drama.play`) by which the scene of a battle, or its short form, comes from a state, of nothing if it is null, to how it is, after so many milliseconds. */
export function clash(battle, earlier, wait) {
  const { sides, fallen, winner } = battle;
  const before = earlier ?? { cards: sides.map(() => 0), sums: false, fallen: 0 };
  const sums = summed(battle) && !before.sums;
  const [acts, cues] = [[], []];
  let at = wait;
  sides.forEach(({ seat, cards, strength, total }, number) => {
    const sum = find(`:is(.side[data-seat="${seat}"] .sum, .clan-tag[data-seat="${seat}"]) > b`);
    const turned = cards.length - before.cards[number];
    for (let card = before.cards[number]; card < cards.length; card += 1) {
      const tile = find(`.side[data-seat="${seat}"] .played .tile:nth-child(${card + 1})`);
      const turn = { delay: at, duration: TURN, easing: "ease-in-out" };
      acts.push({ on: tile, ...turn, frames: [{ transform: "perspective(700px) rotateY(180deg)" }, { transform: "none" }] },
        { on: tile, ...turn, pseudoElement: "::after", frames: [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }] });
      cues.push(["card", at]);
      at += NEXT;
    }
    if (!sums) return;
    const [delay, duration] = [turned ? at - NEXT : at, TURN + NEXT];
    acts.push({ on: sum, delay, duration, frames: [{ "--sum": strength, color: "transparent" }, { "--sum": total, color: "transparent" }] },
      { on: sum, delay, duration, pseudoElement: "::after", frames: [{ opacity: 1 }, { opacity: 1 }] });
    if (!turned) at += NEXT;
  });
  if (sums) {
    at += TURN;
    for (const name of [".result", ".mark.winner"]) acts.push({ on: find(name), delay: at, duration: END, easing: "cubic-bezier(.3, 1.7, .6, 1)", frames: [{ opacity: 0, transform: "scale(.3)" }, { opacity: 1, transform: "none" }] });
    acts.push({ on: find(".log-there"), duration: at, frames: [{ opacity: 0 }, { opacity: 0 }] }); // it says who wins
    if (winner !== null) acts.push({ on: find(".won"), duration: at, frames: [{ boxShadow: "none" }, { boxShadow: "none" }] });
    cues.push(["strike", at]);
  }
  sides.forEach(({ seat }) => fallen.filter(([owner]) => owner === seat).forEach((_, number) => {
    if (before.fallen) return;
    const icon = find(`[data-seat="${seat}"] .to-valhalla svg:nth-of-type(${number + 1})`);
    acts.push({ on: icon, delay: at, duration: END, easing: "ease-in", frames: [{ transform: "translateY(-14px)", filter: "none", opacity: 1 }, { transform: "rotate(85deg)", filter: "none", opacity: 1, offset: 0.8 }, { transform: "rotate(85deg)", filter: "grayscale(.8)", opacity: 0.7 }] });
  }));
  if (fallen.length > before.fallen) cues.push(["fall", at]);
  return [acts, cues];
}
