// This device as the table camera: one picture after the other is sent, the next only once the last was answered. The
// answer says when the next is wanted, and whether a still at full size is.

const place = document.querySelector(".phone-camera");
const part = (name) => place.querySelector(`[data-${name}]`);
const video = place?.querySelector("video");
const LONGEST = 1280; // of the pictures between stills, as other cameras' live pictures
const LONGEST_STILL = 4096; // more is not kept
const QUALITY = 0.8;
const STILL_QUALITY = 0.92;
const SLOWEST = 2000;
const PATIENCE = 15000;
const STILL_PATIENCE = 4000; // a still that takes longer comes from the live picture
const KEPT = "table-camera"; // the key, for when the page is loaded again
const TURNED = "table-camera:turned";
const SIDEWAYS = [90, 270];

let key = null;
let stream = null;
let taker = null;
let photo = {};
let awake = null;
let turned = Number(localStorage.getItem(TURNED) ?? 0);

if (place) {
  part("begin").addEventListener("click", () => begin(false));
  part("over").addEventListener("click", () => begin(true));
  part("end").addEventListener("click", end);
  part("turn").addEventListener("click", () => {
    turned = (turned + 90) % 360;
    localStorage.setItem(TURNED, String(turned));
    show();
  });
  part("torch").addEventListener("change", (event) => set({ torch: event.target.checked }));
  part("focus").addEventListener("input", (event) => set({ focusMode: "manual", focusDistance: Number(event.target.value) }));
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
  video.style.rotate = `${turned}deg`;
}

// Opens the camera: the one at the back where there are two, as large as it gives.
async function open() {
  if (stream?.getVideoTracks().some((track) => track.readyState === "live")) return true;
  if (!navigator.mediaDevices?.getUserMedia) { say("none"); return false; }
  const [width, height] = "ImageCapture" in window ? [1920, 1080] : [LONGEST_STILL, 3072];
  try {
    const wanted = { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height } };
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    close();
    say({ NotAllowedError: "denied", NotFoundError: "none" }[error.name] ?? "failed");
    return false;
  }
  await learnAbilities(stream.getVideoTracks()[0]);
  return true;
}

async function learnAbilities(track) {
  taker = null;
  photo = {};
  try {
    taker = new ImageCapture(track);
    const able = await taker.getPhotoCapabilities();
    if (able.imageWidth?.max && able.imageHeight?.max) photo = { imageWidth: able.imageWidth.max, imageHeight: able.imageHeight.max };
  } catch {
    taker = null; // stills come from the live picture then
  }
  const able = track.getCapabilities?.() ?? {};
  part("torch").hidden = !able.torch;
  const focus = part("focus");
  focus.hidden = !(able.focusMode?.includes("manual") && able.focusDistance);
  if (!focus.hidden) {
    const range = focus.querySelector("input");
    for (const end of ["min", "max", "step"]) range[end] = able.focusDistance[end] ?? (end === "step" ? "any" : 0);
  }
  if (able.focusMode?.includes("continuous")) await set({ focusMode: "continuous" });
}

async function set(setting) {
  try {
    await stream.getVideoTracks()[0].applyConstraints({ advanced: [setting] });
  } catch { /* the browser offers it and the camera refuses: it stays as it was */ }
}

function close() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = taker = null;
  video.srcObject = null;
  awake?.release().catch(() => {});
  awake = null;
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
  if (!(await open())) { show(); return; }
  const form = new FormData();
  const still = stillSize();
  form.append("width", still[0]);
  form.append("height", still[1]);
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
  if (await open()) run(before);
}

function stillSize() {
  const [width, height] = taker && photo.imageWidth ? [photo.imageWidth, photo.imageHeight] : [video.videoWidth, video.videoHeight];
  const factor = Math.min(1, LONGEST_STILL / Math.max(width, height));
  const size = [Math.round(width * factor), Math.round(height * factor)];
  return SIDEWAYS.includes(turned) ? size.reverse() : size;
}

async function run(own) {
  key = own;
  sessionStorage.setItem(KEPT, key);
  show();
  stayAwake();
  while (key === own) {
    const begun = performance.now();
    let pause = SLOWEST;
    if (document.hidden || !(await hasPicture())) {
      tell("asleep"); // the machine sees that no picture comes
      pause = 500;
    } else {
      try {
        let answer = await send(await jpeg(video, video.videoWidth, video.videoHeight, LONGEST, QUALITY), "");
        if (!answer.over && answer.still) answer = await send(await still(), "?still=yes");
        if (key !== own) return;
        say(null);
        if (answer.over) { over(answer); return; }
        tell("sending");
        pause = Math.min(Math.max(answer.pause, 1.5 * (performance.now() - begun)), SLOWEST); // slower over a slow network
      } catch {
        if (key !== own) return;
        part("state").textContent = "";
        say("lost");
      }
    }
    await new Promise((done) => setTimeout(done, begun + pause - performance.now()));
  }
}

// Whether the camera gives a picture; it is opened again where the device took it away, as while it slept.
async function hasPicture() {
  const track = stream?.getVideoTracks()[0];
  if (track?.readyState !== "live") return (await open()) && video.readyState >= 2;
  return !track.muted && video.readyState >= 2;
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
    method: "POST", body, headers: { "X-CSRFToken": place.dataset.token }, cache: "no-store", signal: AbortSignal.timeout(PATIENCE), ...more,
  });
  if (answer.status === 403) location.reload(); // this device was sent out; the page says how to come in
  if (!answer.ok) throw new Error();
  return answer.json();
}

// The best picture this camera takes.
async function still() {
  if (taker) {
    try {
      const late = new Promise((_, fail) => setTimeout(fail, STILL_PATIENCE));
      const picture = await createImageBitmap(await Promise.race([taker.takePhoto(photo), late]));
      return await jpeg(picture, picture.width, picture.height, LONGEST_STILL, STILL_QUALITY);
    } catch {
      taker = null;
    }
  }
  return jpeg(video, video.videoWidth, video.videoHeight, LONGEST_STILL, STILL_QUALITY);
}

// A picture as JPEG, reduced and turned as asked; nothing but its pixels is in it.
async function jpeg(source, width, height, longest, quality) {
  const factor = Math.min(1, longest / Math.max(width, height));
  const [wide, high] = [Math.round(width * factor), Math.round(height * factor)];
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = SIDEWAYS.includes(turned) ? [high, wide] : [wide, high];
  const context = canvas.getContext("2d");
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((turned * Math.PI) / 180);
  context.drawImage(source, -wide / 2, -high / 2, wide, high);
  const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
  if (!made) throw new Error();
  return made;
}
