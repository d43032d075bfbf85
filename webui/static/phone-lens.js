// The camera of this device, as a part of a page uses it: opened, its lens chosen, its pictures taken.

let place = null;
let video = null;
const part = (name) => place.querySelector(`[data-${name}]`);
const LONGEST = 1280; // of the pictures between stills, as other cameras' live pictures
const LONGEST_STILL = 4096; // more is not kept
const QUALITY = 0.8;
const STILL_QUALITY = 0.92;
const STILL_PATIENCE = 4000; // a still that takes longer comes from the live picture
const STANDS_STILL = 2000; // a camera that gives no new picture for so long is paused; in the dark one takes half a second
const TURNED = "table-camera:turned";
const LENS = "table-camera:lens";
const SIDEWAYS = [90, 270];
const FRONT = /front|user|facetime/i;

let stream = null;
let taker = null;
let photo = {};
let turned = 0;

// Shows the camera's picture and its tools in this part of a page. Only a camera on a stand can be turned.
export function showIn(element) {
  place = element;
  video = place.querySelector("video");
  turned = part("turn") ? Number(localStorage.getItem(TURNED) ?? 0) : 0;
  part("turn")?.addEventListener("click", () => {
    turned = (turned + 90) % 360;
    localStorage.setItem(TURNED, String(turned));
    video.style.transform = `rotate(${turned}deg)`;
  });
  part("torch").addEventListener("change", (event) => set({ torch: event.target.checked }));
  part("focus").addEventListener("input", (event) => set({ focusMode: "manual", focusDistance: Number(event.target.value) }));
  part("lens").addEventListener("change", (event) => {
    localStorage.setItem(LENS, event.target.value);
    close(); // opened again for the next picture
  });
  video.addEventListener("click", () => video.play().catch(() => {}));
  video.style.transform = `rotate(${turned}deg)`;
}

const isLive = () => stream?.getVideoTracks()[0].readyState === "live";

// Opens the camera, as large as it gives: the chosen lens, or the one at the back where there are two. Returns why it
// cannot, by the name of a sentence; null where it can.
export async function open() {
  if (isLive()) return null;
  if (!navigator.mediaDevices?.getUserMedia) return "none";
  const [width, height] = "ImageCapture" in window ? [1920, 1080] : [LONGEST_STILL, 3072];
  const wanted = { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height } };
  const get = async (lens) => {
    if (lens) wanted.deviceId = { exact: lens.deviceId };
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
  };
  try {
    const known = await chosenLens();
    await get(known);
    const lens = known ?? (await chosenLens()); // browsers tell the names of cameras only once one was opened
    if (lens && lens.deviceId !== stream.getVideoTracks()[0].getSettings().deviceId) {
      close();
      await get(lens);
    }
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    close();
    return { NotAllowedError: "denied", NotFoundError: "none" }[error.name] ?? "failed";
  }
  const track = stream?.getVideoTracks()[0];
  if (!track) return "failed"; // closed meanwhile
  await learnAbilities(track);
  await offerLenses(track);
  return null;
}

export function close() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = taker = null;
  if (video) video.srcObject = null;
}

// Whether the open camera has just given a new picture. One that stands still is started again, or closed to be opened
// anew. Only what moves on shows the table as it is now: after a call the last picture may stand there for good, of a
// camera that calls itself live.
export async function hasNewPicture() {
  if (stream?.getVideoTracks()[0].muted ?? true) return false;
  if (await movesOn()) return true;
  if (video.paused) await video.play().catch(() => {});
  else close();
  return false;
}

// The live picture as JPEG.
export function preview() {
  return jpeg(video, video.videoWidth, video.videoHeight, LONGEST, QUALITY);
}

// The best picture this camera takes, as JPEG.
export async function still() {
  if (taker) {
    try {
      const late = new Promise((_, fail) => setTimeout(fail, STILL_PATIENCE));
      const picture = await createImageBitmap(await Promise.race([taker.takePhoto(photo), late]));
      return await jpeg(picture, picture.width, picture.height, LONGEST_STILL, STILL_QUALITY);
    } catch {
      taker = null;
    }
  }
  if (!(await movesOn())) throw new Error();
  return jpeg(video, video.videoWidth, video.videoHeight, LONGEST_STILL, STILL_QUALITY);
}

export function stillSize() {
  const [width, height] = taker && photo.imageWidth ? [photo.imageWidth, photo.imageHeight] : [video.videoWidth, video.videoHeight];
  const factor = Math.min(1, LONGEST_STILL / Math.max(width, height));
  const size = [Math.round(width * factor), Math.round(height * factor)];
  return SIDEWAYS.includes(turned) ? size.reverse() : size;
}

// Whether a new picture comes from the camera. Older Firefox has no callback for it, but its clock runs with the pictures.
function movesOn() {
  return new Promise((done) => {
    setTimeout(() => done(false), STANDS_STILL);
    const moved = () => done(!video.paused && video.readyState >= 2);
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(moved);
    else video.addEventListener("timeupdate", moved, { once: true });
  });
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

// Lets people choose where there is more than one camera that does not look at them: a browser may take the one that
// cannot focus on the table. Names as "camera2 2, facing back" say nothing to anybody.
async function offerLenses(track) {
  const lenses = await allLenses();
  const choice = part("lens");
  choice.hidden = lenses.length < 2;
  const now = track.getSettings().deviceId;
  const names = lenses.map((lens, at) => (!lens.label || /facing/.test(lens.label) ? choice.dataset.one.replace("{number}", at + 1) : lens.label));
  choice.querySelector("select").replaceChildren(...lenses.map((lens, at) => new Option(names[at], lens.label, false, lens.deviceId === now)));
}

async function allLenses() {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const isFront = (device) => device.getCapabilities?.().facingMode?.includes("user") ?? false;
  return devices.filter((one) => one.kind === "videoinput" && !FRONT.test(one.label) && !isFront(one));
}

// The lens that was chosen on this device, by its name: ids may change each time that the page is loaded.
async function chosenLens() {
  const name = localStorage.getItem(LENS);
  return name ? (await allLenses()).find((lens) => lens.label === name) : undefined;
}

async function set(setting) {
  try {
    await stream.getVideoTracks()[0].applyConstraints({ advanced: [setting] });
  } catch { /* the browser offers it and the camera refuses: it stays as it was */ }
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
