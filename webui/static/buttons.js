// Buttons that change only what is shown: full screen, printing, one more or one less, close the bar of what was done.

export function listenToButtons() {
  const whole = document.querySelector("[data-fullscreen]");
  if (whole) whole.hidden = !document.fullscreenEnabled;
  whole?.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  });
  document.querySelector("[data-print]")?.addEventListener("click", () => print());
  document.addEventListener("click", (event) => { // these also stand in dialogs, which come later
    const button = event.target.closest("[data-dismiss], button[data-add]");
    if (button?.dataset.add) step(button.parentNode.querySelector("input"), Number(button.dataset.add));
    else button?.closest(".done").remove();
  });
}

function step(field, by) {
  field.value = Math.min(Number(field.max || 99), Math.max(Number(field.min || 0), Number(field.value) + by));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
