// A part of a page that follows no game is asked for again every few seconds, as long as somebody sees it.
import { merge } from "./merge.js";

const BETWEEN = 3000;

export function renewPart() {
  const part = document.querySelector("[data-renew]");
  if (!part) return;
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = answer.ok && page.getElementById(part.id);
      if (fresh) merge(part, fresh);
    } catch {
      // the server does not answer: ask again
    }
  }, BETWEEN);
}
