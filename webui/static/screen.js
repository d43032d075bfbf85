// Buttons that ask something of the browser itself: the whole screen, the printer.

export function offerScreen() {
  const whole = document.querySelector("[data-fullscreen]");
  if (whole) {
    whole.hidden = !document.fullscreenEnabled;
    whole.addEventListener("click", () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen();
    });
  }
  document.querySelector("[data-print]")?.addEventListener("click", () => print());
}
