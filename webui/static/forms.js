// Forms: submitted on change, a message while it takes time, and the same scroll position afterwards.

import { bringsPhoto, isLanding } from "./landing.js";

const PLACE = "place:" + location.pathname;
const SOON = 10000;

// After a change the same page is loaded again; restore its scroll position, unless it leads to what was refused,
// to a card that was moved, or brings new cards.
export function keepPlace() {
  const [when, where] = (sessionStorage.getItem(PLACE) ?? "0 0").split(" ").map(Number);
  sessionStorage.removeItem(PLACE);
  if (Date.now() - when < SOON && !isLanding() && !document.querySelector("main [autofocus]")) {
    history.scrollRestoration = "manual"; // a page loaded again is else shown where the browser has it
    scrollTo(0, where);
    addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
  }
  document.addEventListener("submit", (event) => {
    // Undo shows what page it is: what is taken back may have been what was looked at.
    if (!bringsPhoto(event.target)) rememberPlace(/round.\d+.undo$/.test(event.target.action) ? 0 : scrollY);
  });
}

export function rememberPlace(where = scrollY) {
  sessionStorage.setItem(PLACE, `${Date.now()} ${where}`);
}

export function resendOnChange() {
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("form[data-resend]");
    if (form) submit(form, form.querySelector("[data-noscript]"));
  });
}

// Sends a form as a press of the button does, or of none: Safari before 16 has no requestSubmit.
export function submit(form, button = null) {
  if (form.requestSubmit) {
    form.requestSubmit(button);
    return;
  }
  const pressed = button ?? document.createElement("button");
  if (!button) form.append(pressed);
  pressed.click();
  if (!button) pressed.remove();
}

// Whether a form is sent from its dialog, which stays open, in place of leading to another page.
export function staysOpen(form, button) {
  return form.dataset.stay !== undefined && !button?.hasAttribute("formaction");
}

export function tell(sentence, place = null) {
  const note = document.createElement("p");
  note.className = "notice bad";
  note.textContent = sentence;
  const notices = (place ?? document).querySelector(".notices") ?? document.createElement("div");
  notices.className = "notices";
  notices.setAttribute("role", "alert");
  notices.replaceChildren(note);
  (place ?? document.querySelector("main")).prepend(notices);
  return notices;
}

// A modal dialog that says what is being done; it blocks the page until it is removed.
export function busy(text) {
  const dialog = document.createElement("dialog");
  dialog.id = "busy";
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  words.textContent = text;
  dialog.append(words);
  dialog.addEventListener("cancel", (cancelled) => cancelled.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function showBusy() {
  document.addEventListener("submit", (event) => {
    const text = event.target.dataset.busy;
    if (text) busy(text);
  });
  // A page restored from the back/forward cache must not still say that it is busy.
  addEventListener("pageshow", () => document.getElementById("busy")?.remove());
}
