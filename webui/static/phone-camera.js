// This device as the table camera: one picture after the other is sent, the next only once the last was answered. The
// answer says when the next is wanted, and whether a still at full size is.
import { within } from "./patience.js";
import { close, hasNewPicture, open, preview, showIn, still, stillSize } from "./phone-lens.js";

const place = document.querySelector(".phone-camera");
const part = (name) => place.querySelector(`[data-${name}]`);
const SLOWEST = 2000;
const PATIENCE = 15000;
const BETWEEN_TRIES = 500; // while the camera is paused
const KEPT = "table-camera"; // the key, for when the page is loaded again

let key = null;
let awake = null;

if (place) {
  showIn(place);
  part("begin").addEventListener("click", () => begin(false));
  part("over").addEventListener("click", () => begin(true));
  part("end").addEventListener("click", end);
  document.addEventListener("visibilitychange", () => { if (key && !document.hidden) stayAwake(); });
  const before = sessionStorage.getItem(KEPT);
  if (before) goOn(before);
}

function say(name, device = "") {
  const trouble = part("trouble");
  trouble.hidden = !name;
  trouble.textContent = name ? JSON.parse(place.dataset.says)[name].replace("{device}", device) : "";
}

function tell(name) {
  const text = JSON.parse(place.dataset.says)[name];
  if (part("state").textContent !== text) part("state").textContent = text;
}

function show() {
  const on = key !== null;
  part("on").hidden = part("end").hidden = part("seen").hidden = part("tools").hidden = part("next").hidden = !on;
  part("begin").hidden = on;
  part("over").hidden = true;
}

async function opens() {
  const trouble = await open();
  if (trouble) say(trouble);
  return trouble === null;
}

async function stayAwake() {
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    part("awake").hidden = "wakeLock" in navigator;
  }
}

async function begin(over) {
  say(null);
  if (!(await opens())) { show(); return; }
  const form = new FormData();
  const size = stillSize();
  form.append("width", size[0]);
  form.append("height", size[1]);
  if (over) form.append("over", "yes");
  let answer;
  try {
    answer = await post(place.dataset.start, form);
  } catch {
    close();
    show();
    say("lost");
    return;
  }
  if (answer.key) { run(answer.key); return; }
  close();
  show();
  say("other", answer.other);
  part("begin").hidden = true;
  part("over").hidden = false;
}

async function goOn(before) {
  if (await opens()) run(before);
}

async function run(own) {
  key = own;
  sessionStorage.setItem(KEPT, key);
  show();
  stayAwake();
  while (key === own) {
    const begun = performance.now();
    let pause = SLOWEST;
    try {
      const isPaused = document.hidden || !(await opens()) || !(await hasNewPicture());
      if (key !== own) return;
      if (isPaused) tell("asleep");
      let answer = isPaused ? await send(new Blob(), "?paused=yes") : await send(await preview(), "");
      if (!isPaused && !answer.over && answer.still) answer = await send(await still(), "?still=yes");
      if (key !== own) return;
      if (answer.over) { over(answer); return; }
      if (!isPaused) { say(null); tell("sending"); }
      const slowed = Math.min(Math.max(answer.pause, 1.5 * (performance.now() - begun)), SLOWEST); // over a slow network
      pause = isPaused ? BETWEEN_TRIES : slowed;
    } catch {
      if (key !== own) return;
      part("state").textContent = "";
      say("lost");
    }
    await new Promise((done) => setTimeout(done, begun + pause - performance.now()));
  }
}

function over(answer) {
  const again = !answer.stopped && !answer.other;
  leave();
  if (again) begin(false); // the program was started again
  else say(answer.other ? "taken" : "stopped", answer.other ?? "");
}

function leave() {
  key = null;
  sessionStorage.removeItem(KEPT);
  close();
  awake?.release().catch(() => {});
  awake = null;
  show();
}

function end() {
  const address = place.dataset.stop.replace("KEY", key);
  leave();
  say(null);
  post(address, new FormData(), { keepalive: true }).catch(() => {});
}

function send(picture, query) {
  return post(place.dataset.frame.replace("KEY", key) + query, picture);
}

async function post(address, body, more = {}) {
  const answer = await fetch(address, {
    method: "POST", body, headers: { "X-CSRFToken": place.dataset.token }, cache: "no-store", signal: within(PATIENCE), ...more,
  });
  if (answer.status === 403) location.reload(); // this device was sent out; the page says how to come in
  if (!answer.ok) throw new Error();
  return answer.json();
}
