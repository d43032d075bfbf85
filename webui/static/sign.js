// The sign that the table is watched: a page that is open gets it, and loses it, without being loaded again.

const BETWEEN = 5000;

export function keepSign() {
  const ask = async () => {
    const address = document.getElementById("watching")?.dataset.ask;
    if (document.hidden || !address) return;
    try {
      const answer = await fetch(address, { redirect: "manual" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [fresh, shown] = [page, document].map((one) => one.getElementById("watching"));
      if (fresh && fresh.dataset.says !== shown.dataset.says) shown.replaceWith(document.adoptNode(fresh));
    } catch {
      // The server does not answer; other parts of the page say so.
    }
  };
  setInterval(ask, BETWEEN);
  document.addEventListener("visibilitychange", ask);
  addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
}
