// Forms marked data-stay are sent from their dialog, which stays open and shows the answer: many cards are added one after
// the other. What is tapped while one is on its way waits for its turn.

export function stayOpen(sheet) {
  const waiting = [];
  let sending = false;

  async function send(form, button) {
    sending = true;
    const content = await contentOf(form.action, new FormData(form, button));
    sending = false;
    if (!content) {
      delete form.dataset.stay;
      form.requestSubmit(button);
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
    if (form.dataset.stay === undefined || button?.hasAttribute("formaction")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!sending) send(form, button);
    else if (button.name === "face") waiting.push(button.value);
  });
}

// The part of the answer that a dialog shows; null where there is none, or the server does not answer.
async function contentOf(address, body) {
  try {
    const answer = await fetch(address, { method: "POST", body });
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("dialog");
  } catch {
    return null;
  }
}
