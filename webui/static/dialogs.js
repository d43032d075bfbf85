// Opens links marked data-dialog in a dialog over this page, so that the scroll position is kept. An open dialog has an
// entry in the browser's history, so that Back closes it and Forward opens it again.

import { stayOpen } from "./adding.js";
import { rememberPlace, submit } from "./forms.js";
import { message } from "./messages.js";

const LEFT = "left"; // what a dialog returns whose entry was left by Back
let open = null;
let leaving = null; // settles once the history has left the entry of a dialog that was closed

export function openDialogs() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(link.href?.baseVal ?? link.href);
  });
  addEventListener("popstate", () => follow());
  follow();
}

// Shows the dialog that the entry of the history is about, or none.
function follow() {
  const address = history.state?.dialog;
  if (address) openDialog(address, true);
  else open?.close(LEFT);
}

export async function openDialog(address, entered = false) {
  let content = null;
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    content = answer.ok ? page.getElementById("dialog") : null;
  } catch {
    // The server does not answer; following the link shows the browser's own error page.
  }
  await leaving;
  if (entered && history.state?.dialog !== address) return; // gone on meanwhile
  if (!content) {
    if (entered) history.replaceState(null, "");
    else location.assign(address);
    return;
  }
  if (entered || open) history.replaceState({ dialog: address }, "");
  else history.pushState({ dialog: address }, "");
  show(content);
}

function show(content) {
  open?.remove();
  const sheet = document.createElement("dialog");
  sheet.className = "sheet";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button quiet close";
  close.textContent = message("close");
  const head = document.createElement("div"); // stays in view, with what the dialog is about, and covers nothing
  head.className = "sheet-head";
  head.append(...document.adoptNode(content).querySelectorAll("h1"), close);
  sheet.append(head, content);
  for (const held of sheet.querySelectorAll("[data-script]")) held.hidden = false;
  stayOpen(sheet);
  sheet.addEventListener("click", (event) => {
    if (event.target !== sheet && event.target !== close && !event.target.closest("[data-close]")) return;
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("submit", leaveFirst);
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (open === sheet) open = null;
    if (sheet.dataset.changed) rememberPlace();
    // The event comes a little after Back: Forward may have come to the entry again meanwhile.
    if (!open && history.state?.dialog && sheet.returnValue !== LEFT) leave();
    if (sheet.dataset.changed) reload();
  });
  document.body.append(sheet);
  sheet.showModal();
  open = sheet;
}

// Goes back from the entry of a dialog to that of its page.
function leave() {
  leaving = new Promise((done) => addEventListener("popstate", done, { once: true }));
  history.back();
}

// What was added while the dialog stayed open is shown on the page too.
async function reload() {
  await leaving;
  // the address may ask for another place, and going back may have brought the page there
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  location.reload();
}

// A form leads to another page: it is sent from the page's own entry, so that Back does not open the dialog again.
async function leaveFirst(event) {
  if (!history.state?.dialog) return;
  event.preventDefault();
  event.stopPropagation();
  const sheet = open;
  open = null; // stays in view until the answer is there
  leave();
  await leaving;
  open = sheet;
  submit(event.target, event.submitter);
}
