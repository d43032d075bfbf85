// Before a form leaves the page, asks whether the server answers: where it does not, the page stays with all that was
// typed, sends it once the server answers again, and offers to try now. The browser's own error page would have lost it.
import { staysOpen, submit, tell } from "./forms.js";
import { message } from "./messages.js";
import { within } from "./patience.js";

const PATIENCE = 5000;
const BETWEEN_TRIES = 3000;
const VALID = 3000; // an answer holds for so long, as a form in a dialog is sent in two steps

export function keepForms() {
  const reached = new WeakMap();
  const asking = new WeakSet();
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (staysOpen(form, event.submitter)) return;
    if (form.getAttribute("method") !== "post" || Date.now() - (reached.get(form) ?? 0) < VALID) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (asking.has(form)) return;
    asking.add(form);
    const answers = await isReached();
    asking.delete(form);
    const send = () => submit(form, event.submitter?.isConnected ? event.submitter : null);
    if (!answers) {
      sendOnceReached(form, offerAgain(message("sent-once-reached"), send, form.closest("dialog")));
      return;
    }
    reached.set(form, Date.now());
    send();
  }, true);
}

// Presses the button that tries again once the server answers, unless somebody typed on or closed the dialog meanwhile.
// Nothing of the form had been sent, so nothing can be saved twice.
function sendOnceReached(form, button) {
  let changed = false;
  form.addEventListener("input", () => (changed = true), { once: true });
  const waits = () => !changed && button.getClientRects().length > 0;
  const ask = async () => {
    if (!waits()) return;
    if (!await isReached()) setTimeout(ask, BETWEEN_TRIES);
    else if (waits()) button.click();
  };
  setTimeout(ask, BETWEEN_TRIES);
}

// Says what is wrong, with a button that tries again, which is returned; over an open dialog where there is one.
export function offerAgain(sentence, again, place) {
  const notices = tell(sentence, place);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = message("try-again");
  button.addEventListener("click", () => {
    notices.remove();
    again();
  });
  notices.firstElementChild.append(" ", button);
  button.focus();
  return button;
}

// On the page that says that the database does not answer: goes on once it does. What was typed is sent again, unless
// it may have been saved.
export function waitForDatabase() {
  const here = document.querySelector("[data-away]");
  if (!here || here.dataset.unsure !== undefined) return;
  const ask = async () => {
    try {
      const answer = await fetch(here.dataset.away || location.href, { cache: "no-store", signal: within(2 * PATIENCE) });
      if (answer.status !== 503) {
        if (here.dataset.away) submit(here);
        else location.reload();
        return;
      }
    } catch {
      // Nothing answers; try again later.
    }
    setTimeout(ask, BETWEEN_TRIES);
  };
  setTimeout(ask, BETWEEN_TRIES);
}

async function isReached() {
  const icon = document.querySelector("link[rel=icon]").href;
  try {
    await fetch(icon, { method: "HEAD", cache: "no-store", signal: within(PATIENCE) });
    return true;
  } catch {
    return false;
  }
}
