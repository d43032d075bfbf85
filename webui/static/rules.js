// Checks the form of house rules while the user types and shows each error at its field. The server does the checking.

import { message } from "./messages.js";
import { merge } from "./merge.js";

const PAUSE = 400;

export function checkRules() {
  const form = document.querySelector("form[data-check]");
  if (!form) return;
  let timer = 0;
  let asked = 0;
  const check = async () => {
    const number = ++asked;
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body: new FormData(form) });
      if (!answer.ok || number !== asked) return;
      const { wrong, differs = "" } = await answer.json();
      show(form, wrong);
      const box = form.querySelector("[data-differs]");
      const fresh = new DOMParser().parseFromString(differs, "text/html").querySelector("[data-differs]");
      if (box && fresh) merge(box, fresh);
    } catch {
      // The form is checked again when it is submitted.
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  form.addEventListener("click", (event) => {
    const more = event.target.closest("[data-more]");
    if (more) addRow(more.closest("[data-rows]"));
  });
  for (const group of form.querySelectorAll("[data-optional]")) {
    const tick = group.querySelector("input[type=checkbox]");
    const follow = () => group.querySelector(".columns").hidden = !tick.checked;
    tick.addEventListener("change", follow);
    follow();
  }
}

function show(form, wrong) {
  const left = { ...wrong };
  for (const slot of form.querySelectorAll("[data-wrong]")) {
    const sentence = left[slot.dataset.wrong] ?? "";
    delete left[slot.dataset.wrong];
    if (slot.textContent !== sentence) slot.textContent = sentence;
    form.elements[slot.dataset.wrong]?.setAttribute?.("aria-invalid", String(Boolean(sentence)));
  }
  for (const section of form.querySelectorAll("details, .most")) {
    const count = [...section.querySelectorAll("[data-wrong]")].filter((slot) => slot.textContent).length;
    section.querySelector("[data-amiss]").textContent = count ? message("to-fix", { num: count }) : "";
  }
  const count = Object.keys(wrong).length;
  const rest = Object.values(left).join(" ");
  form.querySelector("[data-all]").textContent = count ? message("fix-first", { num: count, rest }) : message("nothing-to-fix");
}

function addRow(table) {
  const rows = table.querySelectorAll("tbody tr");
  const last = rows[rows.length - 1];
  const fresh = last.cloneNode(true);
  const renumber = (text) => text.replace(`[${rows.length - 1}]`, `[${rows.length}]`);
  const relabel = (text) => text.replace(new RegExp(`\\b${rows.length}\\b(?!.*\\b${rows.length}\\b)`), rows.length + 1);
  for (const part of fresh.querySelectorAll("*")) {
    for (const name of ["name", "id", "data-wrong", "aria-describedby"]) {
      if (part.hasAttribute(name)) part.setAttribute(name, renumber(part.getAttribute(name)));
    }
    const label = part.getAttribute("aria-label");
    if (label) part.setAttribute("aria-label", relabel(label));
    if (part.matches("input")) part.value = "";
    if (part.matches("[data-wrong]")) part.textContent = "";
  }
  last.after(fresh);
  fresh.querySelector("input, select").focus();
}
