// Shows the sum of a side's typed points while one types. The server computes it again when the form is sent.

import { message } from "./messages.js";

export function sumTyped() {
  document.addEventListener("input", showSum);
  document.addEventListener("change", showSum);
  showSum();
}

export function showSum() {
  const form = document.querySelector("form[data-sum]");
  if (!form) return;
  const sum = form.elements.way.value === "total" ? total(form) : counted(form);
  form.elements.sum.value = sum ?? "";
  const text = sum === null ? "" : message("points", { points: sum.toLocaleString("en-US").replace("-", "−") });
  form.querySelector("output").textContent = text;
}

function number(field) {
  const text = field.value.trim().replace(/[−–]/g, "-").replace(/(\d)[\s,'](?=\d{3}\b)/g, "$1");
  if (text === "") return 0;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : null;
}

function total(form) {
  const value = number(form.elements.total);
  if (value === null || form.elements.total.value.trim() === "") return null;
  return form.elements.minus.checked ? -Math.abs(value) : value;
}

function counted(form) {
  let sum = Number(form.dataset.sum);
  for (const field of form.querySelectorAll("[data-each]")) {
    const value = number(field);
    if (value === null) return null;
    sum += (field.name === "left" ? Math.abs(value) : value) * Number(field.dataset.each);
  }
  return sum;
}
