// Closes the bar that says what was just done.

export function closeDone() {
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-dismiss]")) event.target.closest(".done").remove();
  });
}
