// A photo alone on the screen: pinch, wheel, double tap, buttons and keys zoom; a finger, the mouse or arrows move it.
import { openDialog } from "./dialogs.js";
import { message } from "./messages.js";

const LARGEST = 8;
const STEP = 1.6;
const CLOSE_UP = 2.6;
const DOUBLE = 280;
const STILL = 8;
const ARROWS = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };
const KEPT = "look:" + location.pathname;
const SOON = 10000;
let viewer = null;

export function watchLooking() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-look]") ?? pictureOf(event.target);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    look(link.href);
  });
  // The entry of the history that the photo has: a card's dialog over it has one of its own.
  if (history.state?.look) history.replaceState(null, "");
  addEventListener("popstate", () => {
    if (!history.state?.look && !history.state?.dialog) viewer?.dialog.close();
  });
  // A correction made from here loads the page again: the photo is then shown as before.
  document.addEventListener("submit", () => {
    if (viewer) sessionStorage.setItem(KEPT, JSON.stringify({ when: Date.now(), ...viewer.place() }));
  });
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  sessionStorage.removeItem(KEPT);
  if (kept && Date.now() - kept.when < SOON) look(kept.address, kept);
}

// The photo's own link, where the photo itself and not a card in it was tapped.
function pictureOf(target) {
  if (!target.closest(".photo:not(.adding) .frame image")) return null;
  return target.closest(".photo-box")?.querySelector("a[data-look]");
}

async function look(address, kept = null) {
  let content = null;
  try {
    const answer = await fetch(address);
    content = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("look");
  } catch {
    // The server does not answer; following the link shows the browser's own error page.
  }
  if (!content) location.assign(address);
  else if (!viewer) viewer = new Viewer(address, document.adoptNode(content), kept);
}

class Viewer {
  constructor(address, content, kept) {
    this.address = address;
    this.ground = content.querySelector(".ground");
    this.canvas = content.querySelector(".canvas");
    this.pointers = new Map();
    this.dialog = document.createElement("dialog");
    this.dialog.className = "viewer";
    this.dialog.setAttribute("aria-label", message("full-screen"));
    this.dialog.append(content, this.bar());
    document.body.append(this.dialog);
    this.listen();
    this.dialog.showModal();
    this.ground.focus();
    history.pushState({ look: true }, "");
    this.setZoom(kept?.zoom ?? 1, 0, 0);
    if (kept) this.ground.scrollTo(kept.left, kept.top);
  }

  bar() {
    const bar = document.createElement("p");
    bar.className = "bar";
    const middle = (zoom) => this.setZoom(zoom, this.ground.clientWidth / 2, this.ground.clientHeight / 2);
    const buttons = [
      ["−", message("zoom-out"), () => middle(this.zoom / STEP)],
      ["+", message("zoom-in"), () => middle(this.zoom * STEP)],
      [message("whole-photo"), "", () => middle(1)],
      [message("close"), "", () => this.dialog.close()],
    ];
    const names = document.querySelector("[data-do=names]").cloneNode(true); // what it does is known of it everywhere
    bar.append(names);
    for (const [text, name, act] of buttons) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button quiet";
      button.textContent = text;
      if (name) button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      bar.append(button);
    }
    this.middle = middle;
    return bar;
  }

  listen() {
    const { dialog, ground } = this;
    dialog.addEventListener("close", () => {
      dialog.remove();
      viewer = null;
      removeEventListener("resize", this.resized);
      if (history.state?.look) history.back();
    });
    dialog.addEventListener("keydown", (event) => this.key(event));
    dialog.addEventListener("dragstart", (event) => event.preventDefault());
    ground.addEventListener("click", (event) => this.tap(event), true);
    ground.addEventListener("pointerdown", (event) => this.down(event));
    dialog.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
      dialog.addEventListener(kind, (event) => this.pointers.delete(event.pointerId));
    }
    ground.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.setZoom(this.zoom * Math.exp(-event.deltaY * 0.002), event.clientX, event.clientY);
      },
      { passive: false },
    );
    this.resized = () => this.middle(this.zoom);
    addEventListener("resize", this.resized);
  }

  place() {
    return { address: this.address, zoom: this.zoom, left: this.ground.scrollLeft, top: this.ground.scrollTop };
  }

  // Sets how many times larger than the whole photo it is shown; what lies at (x, y) of the screen stays there.
  setZoom(zoom, x, y) {
    const { ground, canvas } = this;
    const box = canvas.querySelector("svg").viewBox.baseVal;
    const whole = Math.min(ground.clientWidth, (ground.clientHeight * box.width) / box.height);
    const before = canvas.getBoundingClientRect();
    const [across, down] = [(x - before.left) / (before.width || 1), (y - before.top) / (before.height || 1)];
    this.zoom = Math.min(LARGEST, Math.max(1, zoom));
    canvas.style.width = `${whole * this.zoom}px`;
    const after = canvas.getBoundingClientRect();
    ground.scrollBy(after.left + across * after.width - x, after.top + down * after.height - y);
  }

  key(event) {
    if (event.target.closest(".sheet") || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.ground.scrollBy(...arrow);
    else if (event.key === "+" || event.key === "=") this.middle(this.zoom * STEP);
    else if (event.key === "-") this.middle(this.zoom / STEP);
    else if (event.key === "0") this.middle(1);
    else return;
    event.preventDefault();
  }

  down(event) {
    if (!this.pointers.size) this.moved = 0;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (other) {
      const [was, is] = [before, now].map((one) => Math.hypot(one.x - other.x, one.y - other.y));
      this.ground.scrollBy((before.x - now.x) / 2, (before.y - now.y) / 2);
      this.setZoom((this.zoom * is) / Math.max(was, 1), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else {
      this.ground.scrollBy(before.x - now.x, before.y - now.y);
    }
  }

  // One tap opens the card's dialog, two zoom: so the first one waits for a second.
  tap(event) {
    event.preventDefault();
    event.stopPropagation();
    if (this.moved > STILL) return;
    const again = this.waiting !== undefined;
    clearTimeout(this.waiting);
    this.waiting = undefined;
    if (again) {
      this.setZoom(this.zoom > 1.2 ? 1 : CLOSE_UP, event.clientX, event.clientY);
      return;
    }
    const link = event.target.closest("a[data-dialog]");
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      if (link && viewer === this) openDialog(link.href.baseVal);
    }, DOUBLE);
  }
}
