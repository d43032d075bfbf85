// A pile dealt through: the list follows the count, with a chirp for each card.
import { chirp, wake } from "./camera.js";

const list = document.querySelector("[data-dealt]");
const counted = () => list.querySelector("[data-count]").dataset;
let chosen = false;

addEventListener("pointerdown", wake, { once: true });
list.addEventListener("change", () => { chosen = true; });

async function follow() {
  for (;;) {
    await new Promise((done) => setTimeout(done, document.hidden ? 2000 : 300));
    if (document.hidden) continue;
    try {
      const answer = await fetch(list.dataset.dealt, { cache: "no-store" });
      if (!answer.ok) continue;
      const before = counted();
      const fresh = document.createElement("template");
      fresh.innerHTML = await answer.text();
      const now = fresh.content.querySelector("[data-count]").dataset;
      const same = now.count === before.count && now.open === before.open;
      // what somebody has just chosen stays while no card is added
      if (same || (chosen && now.count === before.count)) continue;
      if (Number(now.count) > Number(before.count)) chirp();
      chosen = false;
      list.replaceChildren(fresh.content);
    } catch {
      // the page does not answer just now; camera.js says so
    }
  }
}
follow();
