// Takes a photo with the camera of this device in the page itself, and says while aiming what the picture lacks.
import { watcher } from "./aim.js";
import { close, open, showIn, still } from "./phone-lens.js";

const BETWEEN = 500;
const AUTO = "camera:by-itself"; // as on the table camera's page

// Opens the camera over the page. Answers the photo as a file, "app" where the camera app is wanted, or null.
export async function takePhoto(address) {
  const answer = await fetch(address);
  if (!answer.ok) return "app";
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const sheet = document.adoptNode(page.querySelector("dialog"));
  document.body.append(sheet);
  sheet.showModal();
  const chosen = await new Promise((done) => run(sheet, done));
  close();
  sheet.remove();
  return chosen;
}

async function run(sheet, done) {
  const part = (name) => sheet.querySelector(`[data-${name}]`);
  const says = JSON.parse(sheet.dataset.says);
  const video = sheet.querySelector("video");
  const say = (name) => { if (part("hint").textContent !== says[name]) part("hint").textContent = says[name]; };
  const shoot = async () => {
    part("shoot").disabled = true;
    try {
      done(new File([await still()], "photo.jpg", { type: "image/jpeg" }));
    } catch {
      part("shoot").disabled = false;
      say("failed");
    }
  };
  const auto = part("auto");
  auto.checked = localStorage.getItem(AUTO) === "yes";
  auto.addEventListener("change", () => localStorage.setItem(AUTO, auto.checked ? "yes" : "no"));
  part("shoot").addEventListener("click", shoot);
  part("app").addEventListener("click", () => done("app"));
  part("close").addEventListener("click", () => done(null));
  sheet.addEventListener("close", () => done(null));
  showIn(sheet);
  const look = watcher();
  while (sheet.isConnected) {
    const trouble = await open();
    if (!sheet.isConnected) close();
    if (trouble) {
      say(trouble); // to ask again would only ask the browser's question again
      return;
    }
    if (part("shoot").disabled) {
      part("shoot").disabled = false;
      part("shoot").focus();
    }
    if (video.videoWidth) {
      const seen = look(video, video.videoWidth, video.videoHeight);
      say(seen.says);
      if (auto.checked && seen.ready) await shoot();
    }
    await new Promise((wait) => setTimeout(wait, BETWEEN));
  }
}
