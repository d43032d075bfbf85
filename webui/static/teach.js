// Teaching a deck: after an answer the next one is in reach of the keyboard; learning says how far it is.
import { message } from "./messages.js";

const KEPT = "teach:" + location.pathname;
const SOON = 10000;
const BETWEEN = 2000;

export function teachCards() {
  const panel = document.querySelector(".teaching .next-step");
  const answered = Number(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  if (panel && Date.now() - answered < SOON) panel.querySelector("button, a")?.focus({ preventScroll: true });
  panel?.addEventListener("submit", () => sessionStorage.setItem(KEPT, Date.now()));
  const learning = document.querySelector("[data-learning]");
  if (learning?.dataset.learning) watch(learning);
}

async function watch(box) {
  let told = null;
  try {
    const asked = await fetch(box.dataset.learning);
    told = asked.ok ? await asked.json() : null;
  } catch {
    // the page is being restarted: ask again
  }
  if (told && told.kind !== "running") {
    // A page on which photos are sent is not loaded again under somebody's hands.
    if (told.kind === "done" && box.dataset.learned) box.textContent = box.dataset.learned;
    else location.reload();
    return;
  }
  if (told) {
    box.querySelector("[data-progress]").textContent = told.text;
    const bar = box.querySelector("progress");
    if (bar) bar.value = told.share;
  } else box.querySelector("[data-progress]").textContent = message("no-answer");
  setTimeout(() => watch(box), BETWEEN);
}
