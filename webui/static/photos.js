// Photos: larger and back, names on and off, pointing at a card that was missed, and lighting a card up in both places.
import { openSheet } from "./sheets.js";

export function watchPhotos() {
  for (const photo of document.querySelectorAll(".photo")) {
    photo.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (button) press(photo, button);
      else if (photo.classList.contains("adding")) point(photo, event);
    });
  }
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) {
    document.addEventListener(kind, (event) => light(event, kind === "pointerover" || kind === "focusin"));
  }
}

function press(photo, button) {
  if (button.dataset.do === "bigger") {
    const big = photo.classList.toggle("big");
    button.textContent = big ? "Smaller" : "Larger";
  } else if (button.dataset.do === "names") {
    button.setAttribute("aria-pressed", String(!photo.classList.toggle("nameless")));
  } else {
    setAdding(photo, !photo.classList.contains("adding"));
  }
}

function setAdding(photo, adding) {
  photo.classList.toggle("adding", adding);
  photo.querySelector(".tip").hidden = !adding;
  photo.querySelector("[data-do=add]").setAttribute("aria-pressed", String(adding));
}

function point(photo, event) {
  const svg = event.target.closest("svg");
  if (!svg) return;
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  setAdding(photo, false);
  const address = new URL(photo.dataset.add, location.href);
  address.searchParams.set("x", place.x.toFixed(1));
  address.searchParams.set("y", place.y.toFixed(1));
  openSheet(address.href);
}

function light(event, on) {
  const card = event.target.closest?.("[data-card]");
  if (!card) return;
  for (const same of document.querySelectorAll(`[data-card="${CSS.escape(card.dataset.card)}"]`)) {
    same.classList.toggle("lit", on);
  }
}
