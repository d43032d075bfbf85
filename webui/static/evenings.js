// Names of people who played before: one tap adds a line with a person, or half of one with a team.

export function addPeople() {
  const box = document.querySelector("[data-add-to]");
  const text = document.querySelector("textarea[data-lines]");
  if (!box || !text) return;
  box.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.value;
    if (!name) return;
    const lines = text.value.replace(/\n+$/, "").split("\n");
    const last = lines[lines.length - 1];
    if (text.dataset.lines === "teams" && last.endsWith(" & ")) lines[lines.length - 1] = last + name;
    else if (text.dataset.lines === "teams") lines.push(`${name} & `);
    else lines.push(text.dataset.lines ? `${name}, ${text.dataset.lines.split(",")[0]}` : name);
    text.value = lines.filter(Boolean).join("\n");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
