// Shows a note if the game was changed on another device while this page was open; the page itself stays as it is.

const BETWEEN = 4000;

export function watchForChanges() {
  const note = document.querySelector(".stale");
  if (!note) return;
  const ask = async () => {
    if (document.hidden || document.getElementById("busy")) return;
    try {
      const answer = await fetch(note.dataset.ask, { redirect: "manual" });
      const moved = answer.type === "opaqueredirect"; // this device scores a table, whose next game has begun
      const changed = moved || (answer.ok && (await answer.json()).version > Number(note.dataset.version));
      if (changed) note.hidden = false;
    } catch {
      // The server does not answer; try again later.
    }
  };
  setInterval(ask, BETWEEN);
}
