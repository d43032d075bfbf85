// Uploads photos: reduces them if nothing is lost, converts what the server does not read, sends them with a progress
// bar, and waits until they are read.
import { offerAgain } from "./connection.js";
import { busy, tell } from "./forms.js";
import { expectPhoto } from "./landing.js";
import { message } from "./messages.js";

const LARGEST = 40 * 1024 * 1024;
// On rendered tables of 40 cards, 4032 px wide, the reader finds as many cards from 1920 px on (F1 0.990), and fewer at
// 1600 px (0.984). With some margin the upload takes half the time.
const LONGEST = 2560;
const BETWEEN_QUESTIONS = 1000;
const LONG = 12; // seconds
const GATEWAY = [502, 504]; // a proxy that does not reach the server

const aims = document.documentElement.classList; // "aims": the page itself may use a camera, which it must be encrypted for

export function sendPhotos() {
  navigator.mediaDevices?.enumerateDevices().then(
    (devices) => { aims.toggle("aims", devices.some((one) => one.kind === "videoinput")); },
    () => {},
  );
  document.addEventListener("click", (event) => {
    const form = event.target.closest("label, input") && event.target.closest("form[data-camera]");
    if (!aims.contains("aims") || !form) return;
    event.preventDefault();
    aim(form, form.querySelector("input[capture]"));
  });
  document.addEventListener("change", ({ target: input }) => {
    const form = input.closest("form[data-photos]");
    if (form && input.files?.length) send(form, [...input.files], input);
  });
}

async function aim(form, input) {
  const { takePhoto } = await import("./shutter.js");
  const photo = await takePhoto(form.dataset.camera);
  if (photo === "app") {
    aims.remove("aims");
    input.click();
  } else if (photo) send(form, [photo], input);
}

async function send(form, files, input) {
  const dialog = busy(message("getting-ready"));
  const data = new FormData(form);
  data.delete(input.name);
  for (const file of files) {
    const photo = await smaller(file);
    data.append(input.name, photo, file.name);
  }
  const size = data.getAll(input.name).reduce((sum, photo) => sum + photo.size, 0);
  input.value = "";
  dialog.remove();
  if (size > LARGEST) {
    tell(message("too-much"));
    return;
  }
  transmit(form.action, data, files.length);
}

// Sends photos; they are kept here until the server has them. Sent twice they count once, as the form has a key.
function transmit(address, data, num) {
  const dialog = busy(message("sending", { num }));
  const words = dialog.firstElementChild;
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.setAttribute("aria-label", message("how-much-sent"));
  dialog.append(bar);
  const request = new XMLHttpRequest();
  const lost = () => {
    dialog.remove();
    offerAgain(message("lost-while-sending", { num }), () => transmit(address, data, num));
  };
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    bar.value = event.loaded / event.total;
    words.textContent = message("sent-so-far", { num, percent: Math.round(100 * bar.value) });
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    bar.setAttribute("aria-label", message("being-read"));
    sayHowLong(dialog);
  });
  request.addEventListener("load", () => {
    if (GATEWAY.includes(request.status)) lost();
    else follow(request.status, request.responseText, dialog);
  });
  request.addEventListener("error", lost);
  request.open("POST", address);
  request.setRequestHeader("X-Handfoot-Script", "yes");
  request.send(data);
}

// Says how long the cards have been read, unless others are read first, and after a while what to do.
function sayHowLong(dialog) {
  const since = Date.now();
  const say = () => {
    const seconds = Math.round((Date.now() - since) / 1000);
    const reading = seconds < 2 ? message("reading-cards") : message("reading-for", { seconds });
    if (!dialog.dataset.before) dialog.firstElementChild.textContent = seconds < LONG ? reading : message("reading-long", { seconds });
    if (dialog.isConnected) setTimeout(say, 1000);
  };
  say();
}

// The answer of the server: the next page, how many photos come before these, or an error.
async function follow(status, text, dialog) {
  if (status !== 200) {
    dialog.remove();
    const page = new DOMParser().parseFromString(text, "text/html");
    tell(page.querySelector(".notice")?.textContent ?? message("did-not-work"));
    return;
  }
  const answer = JSON.parse(text);
  if (answer.next) {
    const next = new URL(answer.next, location.href);
    expectPhoto();
    await new Promise((done) => setTimeout(done)); // leaving at once can break off the request that was just answered
    if (next.pathname === location.pathname) {
      history.replaceState(null, "", next.href);
      location.reload();
    } else location.assign(next.href);
    return;
  }
  dialog.dataset.before = answer.before || "";
  if (answer.before) dialog.firstElementChild.textContent = message("waiting", { number: answer.before });
  await new Promise((done) => setTimeout(done, BETWEEN_QUESTIONS));
  try {
    const asked = await fetch(answer.wait, { headers: { "X-Handfoot-Script": "yes" } });
    follow(asked.status, await asked.text(), dialog);
  } catch {
    follow(200, text, dialog); // the server does not answer just now: ask again
  }
}

// The photo upright with its longer side at LONGEST at most. It stays as it is if it is small enough and the server reads
// it, or if it cannot be decoded here.
async function smaller(file) {
  try {
    const known = await isKnown(file);
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const factor = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    if (known && factor >= 0.95) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * factor);
    canvas.height = Math.round(picture.height * factor);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
    return made && (!known || made.size < file.size) ? made : file;
  } catch {
    return file; // the page itself says what is wrong with it
  }
}

// Whether the server reads a file of this kind, whatever its name says: JPEG, PNG or WebP, by its first bytes.
async function isKnown(file) {
  const begins = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return /^(\xff\xd8\xff|\x89PNG\r\n|RIFF[^]{4}WEBP)/.test(begins);
}
