// Says that somebody changed the game on another device while this page was open; what is being done here goes on.

const BETWEEN = 4000;

export function watchOthers() {
  const note = document.querySelector(".stale");
  if (!note) return;
  const ask = async () => {
    if (document.hidden || document.getElementById("busy")) return;
    try {
      const answer = await fetch(note.dataset.ask);
      if (answer.ok && (await answer.json()).version > Number(note.dataset.version)) note.hidden = false;
    } catch {
      // The machine is not to be had just now.
    }
  };
  setInterval(ask, BETWEEN);
}
