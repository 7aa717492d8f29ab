"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const CLOSED = 1, HIDDEN = 2, STUNNED = 4;
const WIDTH = 110, HEIGHT = 74, GAP = 6;
const [board, log, step] = ["board", "log", "step"].map((id) => document.getElementById(id));
let shown = 0;

function add(parent, name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

// A cell is counted from First's left corner on; First sits below.
function corner(cell) {
  return [(cell % data.columns) * WIDTH, (data.rows - 1 - Math.floor(cell / data.columns)) * HEIGHT];
}

function drawCard([slot, card, cell, life, bits]) {
  const [title, whole, text] = data.cards[card];
  const [x, y] = corner(cell);
  const seat = Math.floor(slot / data.squad);
  const classes = ["card", `seat-${seat}`];
  if (bits & CLOSED) classes.push("closed");
  if (bits & HIDDEN) classes.push("hidden");
  const made = add(board, "g", { class: classes.join(" "), transform: `translate(${x} ${y})` });
  add(made, "title", {}, `${title}: ${text}`);
  add(made, "rect", { x: GAP / 2, y: GAP / 2, width: WIDTH - GAP, height: HEIGHT - GAP, rx: 6 });
  add(made, "text", { x: WIDTH / 2, y: 24 }, title);
  add(made, "text", { x: WIDTH / 2, y: 45, class: "life" }, `${life}/${whole}`);
  const words = [bits & STUNNED ? "stunned" : bits & CLOSED ? "closed" : "", bits & HIDDEN ? "face down" : ""];
  add(made, "text", { x: WIDTH / 2, y: 62 }, words.filter(Boolean).join(", "));
}

// What was dealt to each, and what is bought of it so far, until the battle begins.
function drawSquads(squads) {
  const box = document.getElementById("squads");
  box.replaceChildren();
  (squads ?? []).forEach((rows, seat) => {
    const part = document.createElement("div");
    const head = document.createElement("h2");
    head.textContent = data.names[seat];
    const list = document.createElement("ul");
    for (const [card, copies, bought] of rows) {
      const line = document.createElement("li");
      const [title, , text] = data.cards[card];
      line.textContent = `${copies > 1 ? `${copies} ` : ""}${title}${bought ? `: ${copies > 1 ? `${bought} ` : ""}bought` : ""}`;
      line.title = text;
      line.classList.toggle("bought", bought > 0);
      list.append(line);
    }
    part.append(head, list);
    box.append(part);
  });
}

function show(number) {
  shown = Math.max(0, Math.min(data.frames.length - 1, number));
  const frame = data.frames[shown];
  board.replaceChildren();
  for (let cell = 0; cell < data.columns * data.rows; cell++) {
    const [x, y] = corner(cell);
    add(board, "rect", { x, y, width: WIDTH, height: HEIGHT, class: "cell" });
  }
  for (const cell of frame.fires) {
    const [x, y] = corner(cell);
    add(board, "circle", { cx: x + WIDTH / 2, cy: y + HEIGHT / 2, r: 12, class: "fire" });
  }
  frame.cards.forEach(drawCard);
  drawSquads(frame.squads);
  document.getElementById("head").textContent = frame.head;
  document.getElementById("count").textContent = `${shown} of ${data.frames.length - 1}`;
  step.value = shown;
  for (const line of log.children) line.classList.toggle("now", Number(line.dataset.step) === shown);
  const now = log.querySelector(".now"); // scrolled by hand: a page around this one, with it in a frame, must stay
  if (now) log.scrollTop = now.offsetTop - (log.clientHeight - now.offsetHeight) / 2;
  document.dispatchEvent(new CustomEvent("step", { detail: { step: shown } }));
}

function fillLog() {
  data.frames.forEach((frame, number) => {
    for (const [kind, text] of frame.log) {
      const line = document.createElement("li");
      line.textContent = text;
      line.dataset.step = number;
      if (kind === data.heading) line.className = "heading";
      line.addEventListener("click", () => show(number));
      log.append(line);
    }
  });
}

document.getElementById("names").textContent = data.names.join(" against ");
board.setAttribute("viewBox", `0 0 ${WIDTH * data.columns} ${HEIGHT * data.rows}`);
step.max = data.frames.length - 1;
step.addEventListener("input", () => show(Number(step.value)));
const jumps = { first: () => 0, back: () => shown - 1, next: () => shown + 1, last: () => data.frames.length - 1 };
for (const [id, to] of Object.entries(jumps)) {
  document.getElementById(id).addEventListener("click", () => show(to()));
}
addEventListener("keydown", (event) => {
  if (event.target === step) return;
  if (event.key === "ArrowLeft") show(shown - 1);
  if (event.key === "ArrowRight") show(shown + 1);
});
fillLog();
show(0);
