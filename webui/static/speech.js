// Reads each new result aloud once, on devices where that was switched on.

import { message } from "./messages.js";

const ASKED = "speak";

export function offerSpeech() {
  const button = document.querySelector("[data-speak]");
  if (!button) return;
  button.hidden = !window.speechSynthesis;
  const show = () => button.setAttribute("aria-pressed", String(sessionStorage.getItem(ASKED) === "yes"));
  button.addEventListener("click", () => {
    const on = sessionStorage.getItem(ASKED) !== "yes";
    sessionStorage.setItem(ASKED, on ? "yes" : "no");
    show();
    if (on) say(document.getElementById("news")?.textContent ?? message("read-aloud"));
    else speechSynthesis.cancel();
  });
  show();
  told = document.getElementById("news")?.dataset.say;
}

let told;

export function speakNews() {
  const news = document.getElementById("news");
  if (!news || news.dataset.say === told) return;
  told = news.dataset.say;
  if (sessionStorage.getItem(ASKED) === "yes" && document.querySelector("[data-speak]")) say(news.textContent);
}

function say(text) {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  words.rate = 0.95;
  speechSynthesis.speak(words);
}
