// Cards one by one: a finger to the side, or an arrow key, leads to the next card or the one before.
const FAR = 50;

export function swipeCards() {
  const page = document.querySelector("[data-swipe]");
  if (!page) return;
  const go = (way) => page.querySelector(`a[rel=${way}]`)?.click();
  let from = null;
  page.addEventListener("pointerdown", (event) => (from = event));
  page.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [across, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
    if (Math.abs(across) > FAR && Math.abs(across) > 2 * Math.abs(down)) go(across < 0 ? "next" : "prev");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "ArrowRight") go("next");
    else if (event.key === "ArrowLeft") go("prev");
  });
}
