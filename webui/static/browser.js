// Buttons for features of the browser: full screen, printing.

export function offerBrowserButtons() {
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
