// The big screen of a hall: lists are laid out as large as they fit, and what does not fit one page turns by itself.

const EVERY = 12000; // a page of forty lines is read in that
const SIZES = [8, 7, 6, 5.2, 4.6, 4, 3.5]; // of type, in hundredths of the window's height; the last is the smallest to read
const WIDE = matchMedia("(min-width: 960px) and (min-aspect-ratio: 4 / 3)"); // else, as on a phone, everything is in a row
const LARGER = [14, 11, 9.5]; // for the few lines of a list of one column, where nothing is cut off
let pages = [];
let at = 0;
let held = false;
let timer = 0;
let shows = null;

export function showTurning() {
  const keys = document.querySelector(".hall-keys");
  if (!keys) return;
  keys.addEventListener("click", ({ target }) => {
    const by = target.closest("[data-turn]")?.dataset.turn;
    if (by) turn(Number(by));
    if (target.closest("[data-hold]")) hold();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (by) turn(by);
    else if (event.key === " " && !event.target.closest("button, a")) hold();
    else return;
    event.preventDefault();
  });
  addEventListener("resize", layOutAgain);
  document.fonts?.ready.then(layOutAgain);
  layOutAgain();
}

export function layOutAgain() {
  const board = document.querySelector("[data-turns]");
  if (!board) return;
  document.querySelector(".hall-turns").hidden = !WIDE.matches;
  if (!WIDE.matches) {
    showAll(board);
    return;
  }
  const before = pages[at];
  const same = shows === board.dataset.shows;
  shows = board.dataset.shows;
  pages = [...board.querySelectorAll(".slides")].flatMap((section, number) => {
    show([...board.querySelectorAll(".slides")], section);
    return laidOut(section).map((items, part) => ({ section, items, name: `${number}.${part}` }));
  });
  const kept = pages.findIndex((page) => page.name === before?.name);
  at = same && kept >= 0 ? kept : 0; // what is new is shown from its beginning
  showPage();
}

// The items of each page of a section, at the largest size at which all fit one, or else at the smallest.
function laidOut(section) {
  const list = section.querySelector(".slide-list");
  if (!list) return [[]];
  const items = [...list.children];
  for (const item of items) item.hidden = false;
  let most = 1;
  for (const size of list.dataset.columns ? [...LARGER, ...SIZES] : SIZES) {
    section.style.setProperty("--type", `${size}vh`);
    list.style.setProperty("--rows", 1);
    const style = getComputedStyle(list);
    const gap = parseFloat(style.rowGap) || 0;
    const rows = Math.max(1, Math.floor((list.clientHeight + gap) / (items[0]?.offsetHeight + gap || 1)));
    const width = parseFloat(style.getPropertyValue("--narrowest")) * parseFloat(getComputedStyle(items[0] ?? list).fontSize);
    const columns = Number(list.dataset.columns) || Math.max(1, Math.floor(list.clientWidth / width));
    most = rows * columns;
    const parts = Math.ceil(items.length / most) || 1;
    const each = Math.ceil(items.length / parts);
    const used = Math.min(columns, Math.ceil(each / rows)) || 1;
    list.style.setProperty("--rows", Math.ceil(each / used));
    list.style.setProperty("--columns", used);
    if (size > SIZES[0] && items.some(isCut)) continue;
    if (parts === 1 || size === SIZES[SIZES.length - 1]) {
      return Array.from({ length: parts }, (_, part) => items.slice(part * each, (part + 1) * each));
    }
  }
  return [items];
}

function isCut(item) {
  const names = [...item.querySelectorAll(".side")];
  return item.scrollWidth > item.clientWidth || names.some((name) => name.scrollHeight > name.clientHeight + 1);
}

function showAll(board) {
  clearTimeout(timer);
  pages = [];
  for (const one of board.querySelectorAll(".slides, .slide-list > *")) one.hidden = false;
  for (const section of board.querySelectorAll(".slides")) section.style.removeProperty("--type");
}

function show(sections, shown) {
  for (const section of sections) section.hidden = section !== shown;
}

function showPage() {
  const page = pages[at];
  if (!page) return;
  show([...document.querySelectorAll(".slides")], page.section);
  for (const item of page.section.querySelectorAll(".slide-list > *")) item.hidden = !page.items.includes(item);
  for (const name of page.section.querySelectorAll(".side")) setSmaller(name);
  document.querySelector("[data-turned]").textContent = `${at + 1} / ${pages.length}`;
  clearTimeout(timer);
  if (!held && pages.length > 1) timer = setTimeout(() => turn(1), EVERY);
}

// A name that is too long for its line is set smaller and, where that does not do, on two lines.
function setSmaller(name) {
  name.classList.remove("long", "longer");
  for (const size of ["long", "longer"]) {
    if (name.scrollHeight <= name.clientHeight + 1) return;
    name.classList.remove("long");
    name.classList.add(size);
  }
}

function turn(by) {
  if (!pages.length) return;
  at = (at + by + pages.length) % pages.length;
  showPage();
}

function hold() {
  held = !held;
  document.querySelector("[data-hold]").setAttribute("aria-pressed", String(held));
  showPage();
}
