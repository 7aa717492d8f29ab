// The talk with language models in a replay: at each decision what was asked and answered.

/** Show `talk`, its lines and the names of the seats, in `section` of the page. */
export function showTalk(talk, section) {
  let placed = false;

  const element = (tag, text, name = "") => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  const headOf = (line) => {
    const parts = [
      `${talk.seats[line.seat]} at decision ${line.step}`,
      line.tries === 1 ? "1 try" : `${line.tries} tries`,
      `${line.prompt_tokens} + ${line.answer_tokens} tokens`,
      `${line.seconds.toFixed(1)} s`,
    ];
    if (line.cost) parts.push(`cost ${line.cost.toFixed(4)}`);
    if (line.random) parts.push("then a random action");
    return parts.join(" · ");
  };

  const decision = (line) => {
    const box = document.createElement("article");
    const [asked, ...rest] = line.messages;
    const prompt = document.createElement("details");
    prompt.append(element("summary", "What it was asked"), element("pre", asked ? asked.content : ""));
    box.append(element("h3", headOf(line)), prompt);
    for (const { role, content } of rest) box.append(element("pre", content, role === "assistant" ? "assistant" : "refused"));
    return box;
  };

  const show = (lines) => {
    section.hidden = !lines.length;
    section.replaceChildren(...lines.map(decision));
  };

  // Sent by pages with steps; a page without them shows the whole talk.
  document.addEventListener("step", ({ detail: { step, viewer } }) => {
    if (!placed) document.getElementById("log").before(section);
    placed = true;
    show(talk.lines.filter((line) => line.step === step && (viewer === undefined || viewer === line.seat)));
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (placed) return;
    document.body.append(section);
    show(talk.lines);
  });
}
