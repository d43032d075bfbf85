// Draws the cards read in the live picture over it, while the checkbox is ticked and the page is visible.

import { message } from "./messages.js";

const tick = document.querySelector("[data-read]");
const said = document.querySelector("[data-read-count]");
const drawing = document.querySelector(".camera .read");
const KEPT = "camera:read";
const SVG = "http://www.w3.org/2000/svg";
const NOTHING = { width: 16, height: 9, cards: [] };
const BETWEEN = 400;
let asking = false;

function part(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function draw({ width, height, cards }) {
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.replaceChildren(
    ...cards.map((card) => part("polygon", { points: card.points, class: card.doubt ? "doubt" : "" })),
    ...cards.map((card) => part("text", { x: card.x, y: card.y, "font-size": card.size }, card.name)),
  );
}

function say({ read, trouble, cards }) {
  const doubts = cards.filter((card) => card.doubt).length;
  const count = message("cards", { num: cards.length });
  const found = doubts ? message("cards-to-look-at", { cards: count, number: doubts }) : count;
  const sentence = trouble ?? (read ? found : message("reading"));
  if (said.textContent !== sentence) said.textContent = sentence;
}

async function follow() {
  if (asking) return;
  asking = true;
  while (tick.checked && !document.hidden) {
    try {
      const answer = await fetch(drawing.dataset.reading, { cache: "no-store" });
      const found = await answer.json();
      draw(found);
      say(found);
    } catch {
      draw(NOTHING);
    }
    await new Promise((done) => setTimeout(done, BETWEEN));
  }
  asking = false;
  draw(NOTHING);
  said.textContent = "";
}

tick.checked = localStorage.getItem(KEPT) === "yes";
tick.addEventListener("change", () => {
  localStorage.setItem(KEPT, tick.checked ? "yes" : "no");
  follow();
});
document.addEventListener("visibilitychange", follow);
follow();
