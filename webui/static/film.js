// The film of a watched round: one change after the other, by finger, slider or arrow keys.

const AT_REST = 120; // milliseconds without scrolling
const strip = document.querySelector(".shots");
if (strip) {
  const shots = [...strip.children];
  const slider = document.querySelector(".scrub input");
  const at = () => Math.round(strip.scrollLeft / Math.max(strip.clientWidth, 1));
  let now = 0;
  const tell = (place) => {
    now = place;
    slider.value = place + 1;
    slider.setAttribute("aria-valuetext", shots[place].querySelector("figcaption").textContent.trim());
  };
  const show = (place) => {
    const shown = Math.min(Math.max(place, 0), shots.length - 1);
    strip.scrollTo({ left: shown * strip.clientWidth, behavior: "instant" });
    tell(shown);
  };
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -shots.length, End: shots.length };

  tell(0);
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  let rest = 0;
  strip.addEventListener("scroll", () => { // older browsers do not say when it ends
    clearTimeout(rest);
    rest = setTimeout(() => tell(Math.min(at(), shots.length - 1)), AT_REST);
  });
  strip.addEventListener("keydown", (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(at() + steps[event.key]);
  });
  for (const button of document.querySelectorAll(".scrub [data-step]")) {
    button.addEventListener("click", () => show(at() + Number(button.dataset.step)));
  }
  addEventListener("resize", () => show(now));
  const asked = shots.findIndex((shot) => `#${shot.id}` === location.hash);
  if (asked > 0) show(asked);
}
