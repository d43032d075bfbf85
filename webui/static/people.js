// Names of people who played before: one tap fills the first empty seat, a second tap clears it. A side shows the
// name that it will get from its players.

export function seatPeople() {
  document.addEventListener("input", callSides);
  const box = document.querySelector("[data-people]");
  if (!box) return;
  const places = [...document.querySelectorAll("input[data-seat]")];
  const show = () => {
    for (const button of box.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(places.some((place) => place.value === button.value)));
    }
  };
  box.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.value;
    if (!name) return;
    const sitting = places.find((place) => place.value === name);
    const seat = sitting ?? places.find((place) => !place.value);
    if (seat) seat.value = sitting ? "" : name;
    show();
    callSides();
  });
  document.addEventListener("input", show);
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
