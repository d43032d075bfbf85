// The live picture: a stream while the page is visible, or single pictures if no stream is available.

import { watcher } from "./aim.js";
import { submit } from "./forms.js";
import { message } from "./messages.js";

const camera = document.querySelector(".camera");
const picture = camera.querySelector(".live");
const trouble = camera.querySelector("[data-trouble]");
const stream = picture.getAttribute("src");
const EMPTY = "data:,";
const SILENT = 5000; // after which the stream is held back on its way
let single = 0;
let silence = 0;

function expectPicture() {
  clearTimeout(silence);
  silence = setTimeout(() => { if (!picture.naturalWidth) picture.dispatchEvent(new Event("error")); }, SILENT);
}
function showStream() {
  picture.src = stream;
  expectPicture();
}
if (document.hidden) picture.removeAttribute("src");
else expectPicture();

picture.addEventListener("error", () => {
  if (document.hidden || picture.src === EMPTY) return;
  // The quota of streams is used up, or the server restarted: show single pictures and try the stream later.
  single += 1;
  const address = single % 30 ? `${camera.dataset.picture}?n=${Date.now()}` : stream;
  setTimeout(() => { picture.src = address; }, 1000);
});
picture.addEventListener("load", () => {
  if (single && picture.src.includes(camera.dataset.picture)) picture.dispatchEvent(new Event("error"));
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) picture.removeAttribute("src");
  else { single = 0; showStream(); tell(); }
});
addEventListener("pagehide", () => picture.removeAttribute("src"));
addEventListener("pageshow", (event) => { if (event.persisted && !document.hidden) showStream(); });

// Automatic picture: the ring fills while the cards lie still; once full, it chirps and one picture is taken.
const auto = camera.querySelector("[data-auto]");
const ring = camera.querySelector(".ring");
const waits = camera.querySelector("[data-waits]");
const AUTO = "camera:by-itself";
let sound;
let taken = false;
let isLive = false; // else a slate is shown

if (auto) {
  auto.checked = localStorage.getItem(AUTO) === "yes";
  auto.addEventListener("change", () => {
    localStorage.setItem(AUTO, auto.checked ? "yes" : "no");
    wake();
  });
}

function follow(state) {
  const on = auto?.checked ?? false;
  ring?.toggleAttribute("hidden", !on);
  if (!on) { if (waits) waits.textContent = ""; return; }
  if (state.ready === undefined) return;
  ring.querySelector(".filled").setAttribute("stroke-dasharray", `${100 * state.ready} 100`);
  if (waits.textContent !== state.waits) waits.textContent = state.waits;
  if (state.ready >= 1 && !taken) {
    taken = true;
    chirp();
    submit(camera.querySelector(".shoot"));
  }
}

// Browsers allow sound only after a user gesture.
export function wake() {
  sound ??= new AudioContext();
}

export function chirp() {
  if (sound?.state !== "running") return;
  const tone = sound.createOscillator();
  const loud = sound.createGain();
  tone.frequency.setValueAtTime(880, sound.currentTime);
  tone.frequency.setValueAtTime(1320, sound.currentTime + 0.09);
  loud.gain.setValueAtTime(0.2, sound.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.3);
  tone.connect(loud).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.3);
}

// What the picture lacks, by a look twice a second.
const hint = camera.querySelector("[data-hint]");
const says = JSON.parse(camera.dataset.says ?? "{}");
const look = watcher();
if (hint) setInterval(() => {
  if (document.hidden) return;
  const said = trouble.hidden && picture.naturalWidth && isLive ? says[look(picture, picture.naturalWidth, picture.naturalHeight).says] : "";
  if (hint.textContent !== said) hint.textContent = said;
}, 500);

async function tell() {
  while (!document.hidden && !taken) {
    let state;
    try {
      const answer = await fetch(camera.dataset.state + (auto?.checked ? "?calm" : ""), { cache: "no-store" });
      if (answer.status === 403) { location.reload(); return; } // this device was sent out; the page says how to come in
      state = await answer.json();
    } catch {
      state = { trouble: message("no-answer") };
    }
    if (trouble.textContent !== (state.trouble ?? "")) trouble.textContent = state.trouble ?? "";
    trouble.hidden = !state.trouble;
    isLive = state.live ?? false;
    camera.classList.toggle("none", !trouble.hidden && !isLive);
    follow(state);
    await new Promise((done) => setTimeout(done, auto?.checked ? 200 : 500));
  }
}
tell();
