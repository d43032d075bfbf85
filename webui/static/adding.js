// Forms marked data-stay are sent from their dialog, which stays open and shows the answer: many cards are added one after
// the other. What is tapped while one is on its way, or while the server does not answer, waits for its turn.
import { offerAgain } from "./connection.js";
import { staysOpen, submit } from "./forms.js";
import { message } from "./messages.js";

export function stayOpen(sheet) {
  const waiting = [];
  let sending = false;

  async function send(form, button) {
    sending = true;
    const data = new FormData(form);
    if (button.name) data.append(button.name, button.value); // older browsers take no button as well
    const answer = await answerOf(form.action, data);
    if (answer === null) {
      offerAgain(message("no-connection"), () => send(form, button), sheet);
      return;
    }
    sending = false;
    const content = new DOMParser().parseFromString(answer, "text/html").getElementById("dialog");
    if (!content) {
      delete form.dataset.stay;
      submit(form, button);
      return;
    }
    sheet.dataset.changed = "yes";
    const old = sheet.querySelector("#dialog");
    const place = sheet.scrollTop;
    const isOpen = [...old.querySelectorAll("details")].map((one) => one.open);
    sheet.querySelector("h1").replaceWith(...document.adoptNode(content).querySelectorAll("h1"));
    old.replaceWith(content);
    content.querySelectorAll("details").forEach((one, at) => (one.open ||= isOpen[at] ?? false));
    sheet.scrollTop = place;
    const next = waiting.shift();
    const same = (value) => content.querySelector(`form[data-stay] button[name=face][value="${CSS.escape(value)}"]`);
    const following = same(next ?? button.value) ?? content.querySelector("button[name=correction]");
    following?.focus({ preventScroll: true });
    if (next !== undefined && following?.name === "face") send(following.form, following);
  }

  sheet.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    if (!staysOpen(form, button)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!sending) send(form, button);
    else if (button.name === "face") waiting.push(button.value);
  });
}

// The text of the answer; null where the server does not answer.
async function answerOf(address, body) {
  try {
    const answer = await fetch(address, { method: "POST", body });
    return await answer.text();
  } catch {
    return null;
  }
}
