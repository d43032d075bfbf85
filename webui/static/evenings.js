// Names of people who played before: one tap adds a line with a person, or half of one with a team.

export function addPeople() {
  const box = document.querySelector("[data-add-to]");
  const text = document.querySelector("textarea[data-lines]");
  if (!box || !text) return;
  box.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const name = button?.value;
    if (!name) return;
    const lines = text.value.replace(/\n+$/, "").split("\n");
    const last = lines[lines.length - 1];
    const teams = (text.form.elements.format?.value || text.dataset.lines) === "teams"; // as is chosen in this form
    if (teams && last.endsWith(" & ")) lines[lines.length - 1] = last + name;
    else if (teams) lines.push(`${name} & `);
    else {
      const groups = (text.form.elements.groups?.value ?? text.dataset.lines).split(",").map((group) => group.trim());
      const known = groups.includes(button.dataset.group) ? button.dataset.group : ""; // else it is typed after the comma
      lines.push(groups.some(Boolean) ? `${name}, ${known}` : name);
    }
    text.value = lines.filter(Boolean).join("\n");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
