// After a card was moved, the page opens where it is now: there in the middle of the window, and ready for the keyboard.

export const isLanding = () => location.hash.startsWith("#card-");

export function landOnCard() {
  if (!isLanding()) return;
  land();
  addEventListener("load", land); // pictures above it have their heights by now
}

function land() {
  const card = document.getElementById(location.hash.slice(1));
  const group = card?.closest(".group");
  if (!group) return;
  const whole = group.offsetHeight < innerHeight / 2 ? group : card;
  whole.scrollIntoView({ block: "center", behavior: "instant" });
  card.focus({ preventScroll: true });
}

const PHOTO = "photo-sent";
const PATIENCE = 600000; // photos of others may be read first

// Whether a form of a round adds photos; the page that comes of it then shows them.
export function bringsPhoto(form) {
  if (!form.closest(".send, .photo-box") || !form.matches("[data-busy], [data-photos]")) return false;
  expectPhoto();
  return true;
}

// The next page opens at what a photo brought, and not where this one was left.
export function expectPhoto() {
  sessionStorage.setItem(PHOTO, Date.now());
}

export function landOnPhoto() {
  const heading = document.querySelector(".heading");
  if (!heading) return;
  const sent = Number(sessionStorage.getItem(PHOTO) ?? 0);
  sessionStorage.removeItem(PHOTO);
  if (Date.now() - sent > PATIENCE) return;
  history.scrollRestoration = "manual"; // a page loaded again is else shown where it was left
  const show = () => {
    const place = location.hash && document.getElementById(location.hash.slice(1));
    const hasDoubts = document.querySelector(".notices") || place?.querySelector?.(".doubt");
    if (place && !hasDoubts) place.scrollIntoView({ behavior: "instant" });
    else scrollTo({ top: 0, behavior: "instant" });
  };
  show();
  addEventListener("load", show); // the browser has been at the address's own place meanwhile
  addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
}
