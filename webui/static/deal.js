// Dealing a pile: refreshes the list of counted cards, with a chirp for each new one.
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
      // Keep what the user just chose if no card was added.
      if (same || (chosen && now.count === before.count)) continue;
      if (Number(now.count) > Number(before.count)) chirp();
      chosen = false;
      list.replaceChildren(fresh.content);
    } catch {
      // The server does not answer; camera.js reports it.
    }
  }
}
follow();
