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
      const { wrong, differs = "", said = [] } = await answer.json();
      show(form, wrong);
      const box = form.querySelector("[data-differs]");
      const fresh = new DOMParser().parseFromString(differs, "text/html").querySelector("[data-differs]");
      if (box && fresh) merge(box, fresh);
      for (const sentence of said.length ? form.querySelectorAll("[data-said]") : []) {
        const now = said[sentence.dataset.said];
        sentence.classList.toggle("off", !now);
        if (now && sentence.textContent !== now) sentence.textContent = now;
      }
    } catch {
      // The form is checked again when it is submitted.
    }
  };
  form.addEventListener("input", ({ target }) => {
    form.classList.add("changed"); // from now on there is something to save, and the bar for it covers no field
    target.scrollIntoView({ block: "nearest", behavior: "instant" });
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  form.addEventListener("click", (event) => {
    const more = event.target.closest("[data-more]");
    if (more) addRow(more.closest("[data-rows]"));
    const told = event.target.closest(".told > summary")?.parentElement;
    if (told && !told.open) setTimeout(() => {
      const field = told.querySelector("input.number") ?? told.querySelector(".columns :is(input, select, textarea)");
      field.focus();
      field.select?.();
    });
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
  for (const section of form.querySelectorAll("details")) {
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
  const next = (text) => text.replace(/(\d+)(?!.*\d)/, (number) => Number(number) + 1);
  for (const part of fresh.querySelectorAll("*")) {
    for (const name of ["name", "id", "data-wrong", "aria-describedby", "aria-label"]) {
      if (part.hasAttribute(name)) part.setAttribute(name, next(part.getAttribute(name)));
    }
    if (part.matches("input")) part.value = "";
    if (part.matches("[data-wrong]")) part.textContent = "";
  }
  last.after(fresh);
  fresh.querySelector("input, select").focus();
}
