// The box of each side on the picture of the table: moved by its name, shaped by its corners, with finger, mouse or arrows.

const STEP = 0.01; // of the picture, by an arrow key
const STEPS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
const FINEST = 0.02; // of a move that is taken in part
const BETWEEN = 2000; // milliseconds between two pictures of the table, which somebody may be moving under the camera
const form = document.querySelector(".areas");
if (form) {
  const picture = form.querySelector(".picture");
  const outlines = [...form.querySelectorAll("polygon")];
  const said = form.elements.boxes;
  const boxes = JSON.parse(said.value);
  const names = [...form.querySelectorAll("text")].map((text, side) => grip("name", side, text.textContent));
  const corners = [0, 1, 2, 3].map(() => grip("corner", 0, ""));
  let chosen = 0;
  const seen = picture.querySelector("img[data-fresh]");
  if (seen) setInterval(() => renew(seen), BETWEEN);
  form.classList.add("dragged");
  names.forEach((name, side) => {
    drags(name, () => boxes[side], () => choose(side));
    name.addEventListener("click", () => choose(side));
  });
  corners.forEach((corner, at) => drags(corner, () => [boxes[chosen][at]], () => {}));
  choose(0);

  async function renew(image) {
    if (document.hidden) return;
    const fresh = new Image();
    fresh.src = `${image.src.split("?")[0]}?${Date.now()}`;
    try {
      await fresh.decode();
      image.src = fresh.src;
    } catch {
      // The server does not answer; other parts of the page say so.
    }
  }

  function grip(kind, side, text) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `${kind} a${side % 6}`;
    made.textContent = text;
    picture.append(made);
    return made;
  }

  function choose(side) {
    chosen = side;
    names.forEach((name, at) => name.setAttribute("aria-pressed", at === side));
    corners.forEach((corner, at) => {
      corner.className = `corner a${side % 6}`;
      const label = form.dataset.corner.replace("{side}", names[side].textContent).replace("{number}", at + 1);
      corner.setAttribute("aria-label", label);
    });
    show();
  }

  function show() {
    boxes.forEach((box, side) => {
      outlines[side].setAttribute("points", box.map((point) => point.join(",")).join(" "));
      outlines[side].classList.toggle("chosen", side === chosen);
      put(names[side], [0, 1].map((axis) => box.reduce((sum, point) => sum + point[axis], 0) / 4));
    });
    corners.forEach((corner, at) => put(corner, boxes[chosen][at]));
    said.value = JSON.stringify(boxes);
  }

  function put(element, [x, y]) {
    element.style.left = `${100 * x}%`;
    element.style.top = `${100 * y}%`;
  }

  // Moves points of the picture together from where they were, none of them out of it, and as far as no box folds: of a
  // quick move, which comes in one piece, as much as a slow one would take.
  function move(points, from, [across, down]) {
    const within = (by, axis) => Math.min(Math.max(by, ...from.map((point) => -point[axis])), ...from.map((point) => 1 - point[axis]));
    const by = [within(across, 0), within(down, 1)];
    for (let share = 1; share >= 0; share -= FINEST) {
      points.forEach((point, at) => [0, 1].forEach((axis) => (point[axis] = Math.round((from[at][axis] + share * by[axis]) * 1e4) / 1e4)));
      if (boxes.every(isOpen)) return;
    }
    points.forEach((point, at) => point.splice(0, 2, ...from[at]));
  }

  // Whether a box goes round in one way and holds a card at least.
  function isOpen(box) {
    return box.every((point, at) => {
      const [after, last] = [box[(at + 1) % 4], box[(at + 3) % 4]];
      return (after[0] - point[0]) * (last[1] - point[1]) - (after[1] - point[1]) * (last[0] - point[0]) > 0.004;
    });
  }

  function drags(element, points, begin) {
    let from = null;
    const follow = (event) => {
      if (!from) return;
      const { width, height } = picture.getBoundingClientRect();
      move(points(), from.points, [(event.clientX - from.x) / width, (event.clientY - from.y) / height]);
      show();
    };
    // A finger on a grip never scrolls the page, not even before the browser knows where the grip has moved.
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    element.addEventListener("pointerdown", (event) => {
      begin();
      element.focus({ preventScroll: true });
      from = { x: event.clientX, y: event.clientY, points: points().map((point) => [...point]) };
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", follow);
    element.addEventListener("pointerup", (event) => {
      follow(event); // a flick may end elsewhere than where it was seen last
      from = null;
    });
    element.addEventListener("pointercancel", () => (from = null));
    element.addEventListener("keydown", (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      begin();
      move(points(), points().map((point) => [...point]), STEPS[event.key]);
      show();
    });
  }
}
