// After an answer, the next question comes where the last one stood, so that the thumb need not look for it.

const KEPT = "doubt:" + location.pathname;
const SOON = 10000;
let asked = null;

export function askOneAfterTheOther() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  sessionStorage.removeItem(KEPT);
  if (kept && Date.now() - kept.when < SOON) {
    show(kept);
    addEventListener("load", () => show(kept)); // the browser has been at the address's own place meanwhile
  }
  document.addEventListener("click", (event) => (asked = event.target.closest(".doubts li, .sheet") ? (event.target.closest(".doubts li") ?? asked) : null), true);
  document.addEventListener("submit", (event) => {
    const question = event.target.closest(".doubts li") ?? (event.target.closest(".sheet") && asked);
    if (!question?.isConnected) return;
    const at = [...question.parentNode.children].indexOf(question);
    sessionStorage.setItem(KEPT, JSON.stringify({ when: Date.now(), at, top: answers(question).getBoundingClientRect().top }));
  });
}

function answers(question) {
  return question.querySelector(".row") ?? question;
}

function show({ at, top }) {
  const questions = document.querySelectorAll(".doubts li");
  const next = questions[Math.min(at, questions.length - 1)];
  if (!next) return;
  const row = answers(next);
  scrollBy({ top: row.getBoundingClientRect().top - top, behavior: "instant" });
  row.querySelector("button, a")?.focus({ preventScroll: true });
}
