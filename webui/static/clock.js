// The clock of a round: counted down each second, with a bell for the warning and for the end where that was switched on.

import { message } from "./messages.js";

let audio = null;
let ends = 0;
let left = Infinity; // seconds, when it was last looked at
let shown = ""; // what the page said then
let which = ""; // the clock that it was of

export function countDown() {
  offerBell();
  look();
  setInterval(look, 1000);
}

function look() {
  const clocks = document.querySelectorAll("[data-clock]");
  if (!clocks.length) {
    shown = which = "";
    return;
  }
  if (clocks[0].dataset.clock !== shown) {
    shown = clocks[0].dataset.clock;
    ends = Date.now() + 1000 * Number(shown); // the page says how long, as this device's own clock may be wrong
    if (clocks[0].dataset.ends !== which) left = Infinity;
    which = clocks[0].dataset.ends;
  }
  const now = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
  const warning = Number(clocks[0].dataset.warning);
  for (const clock of clocks) {
    clock.textContent = now ? told(now) : message("time-is-up");
    clock.classList.toggle("soon", now > 0 && now <= warning);
    clock.classList.toggle("over", !now);
  }
  if (left !== Infinity && left > 0 && !now) ring(3);
  else if (left !== Infinity && left > warning && now <= warning && now) ring(1);
  left = now;
}

function told(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// Browsers let a page sound only after somebody has pressed something on it.
function offerBell() {
  const button = document.querySelector("[data-bell]");
  if (!button || !window.AudioContext) return;
  button.addEventListener("click", () => {
    if (audio) audio.close();
    audio = audio ? null : new AudioContext();
    button.setAttribute("aria-pressed", String(Boolean(audio)));
    ring(1); // so that one hears how loud it is
  });
}

function ring(times) {
  for (const clock of document.querySelectorAll("[data-clock]")) clock.dataset.rang = String(times);
  if (!audio) return;
  for (let at = 0; at < times; at++) {
    for (const [pitch, loud] of [[880, 0.5], [1320, 0.25], [2217, 0.12]]) {
      const tone = new OscillatorNode(audio, { frequency: pitch });
      const start = audio.currentTime + 0.9 * at;
      const volume = new GainNode(audio, { gain: loud });
      volume.gain.setValueAtTime(loud, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 2);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 2);
    }
  }
}
