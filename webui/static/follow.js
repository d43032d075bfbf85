// Keeps pages of a game up to date: by server-sent events, or by polling if no stream is available.

import { merge } from "./merge.js";
import { message } from "./messages.js";

const BEFORE_STREAM = 2000; // pages that are only passed through hold no stream
const BETWEEN_POLLS = 5000;
const BETWEEN_PARTS = 3000;
const SILENT = 5000; // after which the stream may be held back on its way; the server says something every 3 s
const BEFORE_NEXT_TRY = 60000;
const SETTLING = 400; // while a finger that was on its way may meet another button than it was for

export function followGame(changed) {
  const here = document.querySelector("[data-live]");
  if (!here) return;
  let version = Number(here.dataset.version);
  let source = null;
  let timer = 0;
  let failures = 0;
  let streamAgain = 0;
  let silence = 0;

  const show = async (number) => {
    // A page that is being left, or that is loaded again once its dialog closes, stays as it is.
    if (number <= version) return;
    if (document.querySelector("#busy, dialog[data-changed]")) {
      setTimeout(ask, BETWEEN_POLLS);
      return;
    }
    const seen = version;
    version = number;
    const address = new URL(location.href);
    address.searchParams.set("since", document.querySelector("[data-live]").dataset.version);
    try {
      const answer = await fetch(address);
      if (answer.status === 404) location.reload(); // what it shows is gone, and the page says so
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-live]");
      const old = document.querySelector("[data-live]");
      if (fresh && fresh.dataset.live !== old.dataset.live) {
        const there = new URL(answer.url); // as below
        there.searchParams.delete("since");
        location.assign(there);
        return;
      }
      // Of two requests at once, the older may be answered last.
      if (!answer.ok || !fresh || Number(fresh.dataset.version) < Number(old.dataset.version)) return;
      if (document.querySelector(".dragging")) throw new Error(); // shown later: the card in hand would be lost
      version = Math.max(version, Number(fresh.dataset.version));
      replace(old, fresh);
      const sign = page.getElementById("watching");
      if (sign) document.getElementById("watching")?.replaceWith(document.adoptNode(sign));
      changed();
    } catch {
      version = seen; // it was not to be had
      setTimeout(ask, BETWEEN_POLLS);
    }
  };
  const ask = async () => {
    try {
      const answer = await fetch(here.dataset.live.replace(/live$/, "version"), { redirect: "manual" });
      // This device was sent out, and the page says how to come in; or it scores a table, whose next game has begun.
      if (answer.status === 403 || answer.type === "opaqueredirect") location.reload();
      sayAway(answer.status === 503 ? message("database-away") : null);
      if (answer.ok) await show((await answer.json()).version);
    } catch {
      sayAway(message("page-away")); // try again later
    }
  };
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(async () => {
      await ask();
      if (source) heard();
    }, SILENT);
  };
  const poll = async () => {
    await ask();
    timer = document.hidden ? 0 : setTimeout(Date.now() > streamAgain ? open : poll, BETWEEN_POLLS);
  };
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(silence);
    clearTimeout(timer);
    timer = 0;
  };
  const fall = () => {
    close();
    streamAgain = Date.now() + BEFORE_NEXT_TRY;
    document.documentElement.dataset.follows = "poll";
    timer = setTimeout(poll, BETWEEN_POLLS);
  };
  const open = () => {
    close();
    // Tables, people and onlookers of a club evening are many, and each stream would hold a thread.
    if (!window.EventSource || !here.dataset.live.endsWith("live")) {
      fall();
      return;
    }
    source = new EventSource(`${here.dataset.live}?since=${version}`);
    heard();
    source.addEventListener("open", () => {
      failures = 0;
      document.documentElement.dataset.follows = "stream";
    });
    source.addEventListener("here", heard);
    source.addEventListener("change", (event) => {
      heard();
      show(Number(event.data));
    });
    source.addEventListener("full", fall);
    source.addEventListener("error", () => {
      failures += 1;
      if (source?.readyState === EventSource.CLOSED || failures > 3) fall();
    });
  };

  // A hidden page holds no stream, also one that was opened beside the one that is read: a browser has six connections
  // for all its pages.
  const openSeen = () => {
    close();
    if (!document.hidden) open();
  };
  timer = setTimeout(openSeen, BEFORE_STREAM);
  document.addEventListener("visibilitychange", openSeen);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => {
    if (event.persisted) openSeen();
  });
}

// A part of a page that follows no game is asked for again every few seconds, as long as somebody sees it.
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
  }, BETWEEN_PARTS);
}

// Says on the page that it is not kept up to date now, and why; null once it is again.
function sayAway(why) {
  let note = document.getElementById("away");
  if (why && !note) {
    note = document.createElement("p");
    note.id = "away";
    note.className = "notice doubt";
    note.setAttribute("role", "status");
    document.querySelector("main").prepend(note);
  }
  if (!why) note?.remove();
  else if (note.textContent !== why) note.textContent = why;
}

// Shows what changed; all else stays, with what is typed in it, what is open and where the focus is.
function replace(old, fresh) {
  for (const held of fresh.querySelectorAll("[data-script]")) held.hidden = false;
  merge(old, fresh);
  old.style.pointerEvents = "none";
  setTimeout(() => old.style.removeProperty("pointer-events"), SETTLING);
}
