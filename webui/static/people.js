// Names of people who played before: one tap puts the name into the first empty line, a second tap clears that. What is
// typed goes along where other rules are chosen. A side shows the name that it will get from its players.

export function seatPeople() {
  document.addEventListener("input", callSides);
  const text = document.querySelector("textarea[name=names]");
  if (!text) return;
  const box = document.querySelector("[data-people]");
  const along = document.querySelector("[data-names]");
  const written = () => text.value.split("\n").map((line) => line.trim());
  const show = () => {
    const here = written();
    for (const button of box?.querySelectorAll("button") ?? []) {
      button.setAttribute("aria-pressed", String(here.includes(button.value)));
    }
    if (along) along.value = text.value;
  };
  box?.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.value;
    if (!name) return;
    const here = [...written(), ""];
    if (here.includes(name)) here[here.indexOf(name)] = "";
    else here[here.indexOf("")] = name;
    text.value = here.join("\n").replace(/\n+$/, "\n").replace(/^\n+$/, "");
    show();
  });
  text.addEventListener("input", show);
  show();
}

function callSides() {
  for (const side of document.querySelectorAll("[data-side]")) {
    const called = side.querySelector("[data-called]");
    const names = [...side.querySelectorAll("[data-seat]:not([data-floater])")].map((seat) => seat.value.trim());
    if (!called) continue;
    called.dataset.usual ??= called.placeholder;
    called.placeholder = names.every(Boolean) ? names.join(" & ") : called.dataset.usual;
  }
}
