// The buttons beside a number: one less, one more. They also stand in dialogs, which come later.

export function countOn() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-add]");
    const field = button?.parentNode.querySelector("input");
    if (!field) return;
    const number = Number(field.value) + Number(button.dataset.add);
    field.value = Math.min(Number(field.max || 99), Math.max(Number(field.min || 0), number));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
