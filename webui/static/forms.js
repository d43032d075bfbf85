// Forms: sent when something is chosen, with a word while it takes time, and back at the same place of the page after it.

const LARGEST = 40 * 1024 * 1024;
const PLACE = "place:" + location.pathname;

// After a change the same page comes again; it should stand where it stood.
export function keepPlace() {
  const kept = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (kept !== null) scrollTo(0, Number(kept));
  document.addEventListener("submit", () => sessionStorage.setItem(PLACE, String(scrollY)));
}

export function resendOnChange() {
  for (const form of document.querySelectorAll("form[data-resend]")) {
    form.addEventListener("change", () => form.requestSubmit(form.querySelector("[data-noscript]")));
  }
  for (const form of document.querySelectorAll("form[data-photos]")) {
    const input = form.querySelector("input[type=file]");
    input.addEventListener("change", () => {
      if (!input.files.length) return;
      const size = [...input.files].reduce((sum, file) => sum + file.size, 0);
      if (size > LARGEST) {
        tell(form, "That is more than 40 MB at once; send fewer photos at a time, or smaller ones.");
        input.value = "";
        return;
      }
      form.requestSubmit();
    });
  }
}

function tell(form, sentence) {
  const note = document.createElement("p");
  note.className = "notice bad";
  note.setAttribute("role", "alert");
  note.textContent = sentence;
  form.parentElement.prepend(note);
}

export function showBusy() {
  document.addEventListener("submit", (event) => {
    const text = event.target.dataset.busy;
    if (!text) return;
    const busy = document.createElement("dialog");
    busy.id = "busy";
    busy.textContent = text;
    busy.addEventListener("cancel", (cancelled) => cancelled.preventDefault());
    document.body.append(busy);
    busy.showModal();
  });
  // A page that the browser brings back from its memory must not still say that it is busy.
  addEventListener("pageshow", () => document.getElementById("busy")?.remove());
}
