// Drags cards from group to group with a mouse; the card's dialog does the same for touch and keyboard. A finger scrolls,
// so that where there is no mouse nothing pretends that cards can be dragged.

import { submit } from "./forms.js";

const MOUSE = "(any-hover: hover) and (any-pointer: fine)";

export function dragCards() {
  if (!document.querySelector("form[data-move]") || !matchMedia(MOUSE).matches) return;
  showDraggable();
  let moved = null;
  document.addEventListener("dragstart", (event) => {
    moved = event.target.closest?.(".chip[data-card]");
    if (!moved) return;
    event.dataTransfer.setData("text/plain", moved.dataset.card);
    document.body.classList.add("dragging");
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const group = event.target.closest?.(".group, .drop-new");
      if (!moved || !group || group.contains(moved)) return;
      group.classList.toggle("over", kind === "dragover");
      if (kind !== "dragleave") event.preventDefault();
      if (kind !== "drop") return;
      const change = document.querySelector("form[data-move]");
      change.elements.card.value = moved.dataset.card;
      change.elements.group.value = group.id.replace("group-", "");
      submit(change);
    });
  }
  document.addEventListener("dragend", () => {
    moved = null;
    document.body.classList.remove("dragging");
  });
}

export function showDraggable() {
  if (!matchMedia(MOUSE).matches) return;
  for (const chip of document.querySelectorAll(".groups .chip[data-card]")) chip.draggable = true;
}
