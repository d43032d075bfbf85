// The live picture: watched only while the page can be seen, and in single pictures where no stream is to be had.

const camera = document.querySelector(".camera");
const picture = camera.querySelector(".live");
const trouble = camera.querySelector("[data-trouble]");
const stream = picture.getAttribute("src");
const EMPTY = "data:,";
let single = 0;

picture.addEventListener("error", () => {
  if (document.hidden || picture.src === EMPTY) return;
  // as many watch as can be served, or the page was started anew: single pictures, and the stream again later
  single += 1;
  const address = single % 30 ? `${camera.dataset.picture}?n=${Date.now()}` : stream;
  setTimeout(() => { picture.src = address; }, 1000);
});
picture.addEventListener("load", () => {
  if (single && picture.src.includes(camera.dataset.picture)) picture.dispatchEvent(new Event("error"));
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) picture.removeAttribute("src");
  else { single = 0; picture.src = stream; tell(); }
});
addEventListener("pagehide", () => picture.removeAttribute("src"));
addEventListener("pageshow", (event) => { if (event.persisted) picture.src = stream; });

async function tell() {
  while (!document.hidden) {
    let state;
    try {
      const answer = await fetch(camera.dataset.state, { cache: "no-store" });
      state = await answer.json();
    } catch {
      state = { trouble: "The page does not answer; is it still running?" };
    }
    if (trouble.textContent !== (state.trouble ?? "")) trouble.textContent = state.trouble ?? "";
    trouble.hidden = !state.trouble;
    await new Promise((done) => setTimeout(done, 500));
  }
}
tell();
