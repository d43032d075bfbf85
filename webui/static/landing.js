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
