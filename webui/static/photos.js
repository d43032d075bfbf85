// Photos: pointing at a missed card, and highlighting cards in photo and list.
import { openDialog } from "./dialogs.js";

const NAMES = "all-names"; // kept while the page is loaded again after each correction

export function watchPhotos() {
  showNames();
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    const adding = event.target.closest(".photo.adding");
    const line = event.target.closest("a[data-cards]");
    if (line) {
      event.preventDefault();
      keepLit(line);
    } else if (button) press(button);
    else if (adding) point(adding, event);
  });
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
    document.addEventListener(kind, (event) => light(event, kind === "pointerover" || kind === "focusin"));
  }
}

// The names of all cards and groups over the photos, or of those in doubt and those that are looked at alone.
export function showNames() {
  const all = sessionStorage.getItem(NAMES) === "yes";
  document.documentElement.classList.toggle(NAMES, all);
  for (const button of document.querySelectorAll("[data-do=names]")) button.setAttribute("aria-pressed", String(all));
}

function press(button) {
  if (button.dataset.do === "names") {
    sessionStorage.setItem(NAMES, document.documentElement.classList.contains(NAMES) ? "no" : "yes");
    showNames();
    return;
  }
  const photo = button.closest(".photo-box").querySelector(".photo");
  setAdding(photo, !photo.classList.contains("adding"));
}

function setAdding(photo, adding) {
  const box = photo.closest(".photo-box");
  photo.classList.toggle("adding", adding);
  box.querySelector(".tip").hidden = !adding;
  box.querySelector("[data-do=add]").setAttribute("aria-pressed", String(adding));
  if (adding) photo.scrollIntoView({ block: "nearest" });
}

function point(photo, event) {
  const svg = event.target.closest("svg");
  if (!svg) return;
  event.preventDefault();
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  setAdding(photo, false);
  const address = new URL(photo.dataset.add, location.href);
  address.searchParams.set("x", place.x.toFixed(1));
  address.searchParams.set("y", place.y.toFixed(1));
  openDialog(address.href);
}

function cardsOf(ids) {
  return ids.flatMap((id) => [...document.querySelectorAll(`[data-card="${CSS.escape(id)}"]`)]);
}

function light(event, on) {
  const card = event.target.closest?.("[data-card]");
  if (card) for (const same of cardsOf([card.dataset.card])) same.classList.toggle("lit", on);
}

// A tapped line of the tally highlights its cards in the photos until it or another line is tapped.
function keepLit(line) {
  const row = line.closest("li");
  const again = row.classList.contains("lit");
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  for (const photo of document.querySelectorAll(".dimmed")) photo.classList.remove("dimmed");
  if (again) return;
  row.classList.add("lit");
  const cards = cardsOf(line.dataset.cards.split(" "));
  for (const card of cards) card.classList.add("lit");
  const photos = [...new Set(cards.map((card) => card.closest(".photo")))].filter(Boolean);
  for (const photo of photos) photo.classList.add("dimmed");
  photos[0]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}
