// What a live picture lacks before it is taken, by a small copy of it: one look is a few milliseconds of this device.
// The thresholds were chosen on photos of cards on tables, cloths and blankets. No word is better than a wrong one.

const LONGEST = 160; // of the small copy, in pixels
const STEP = 0.2; // of the brightness of paper: from which two neighbours, or two looks, differ
const DARK = 80; // paper (0 to 255) no brighter than this is hard to read
const MOVED = 0.35; // changed pixels for each pixel of an edge: the picture moved by a pixel of the small copy
const FEW = 20; // pixels of edges that an empty table has at most
const CALM = 0.03; // share of edges in the margin of a picture in which no card is cut off
const MARGIN = 5;
const SMALL = 0.5; // of the picture, which the cards fill: closer, they are read better
const BURNT = 248;
const SHEEN = { share: 0.002, reach: 3, paper: [130, 232], around: 0.6 }; // what is burnt, and well lit paper right around
const HOLD = 3; // looks after one another at which all is well, before a picture is taken by itself

// Looks at a picture again and again. Each look answers the name of what to say: "empty", "move", "dark", "glare",
// "closer", "edge" where a card may be cut off, or "fine"; and whether a picture can be taken by itself.
export function watcher() {
  const canvas = document.createElement("canvas");
  let [before, last, shown, held] = [null, "", "move", 0];
  return (source, width, height) => {
    const factor = LONGEST / Math.max(width, height);
    [canvas.width, canvas.height] = [Math.round(width * factor), Math.round(height * factor)];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "medium";
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    const now = small(context.getImageData(0, 0, canvas.width, canvas.height));
    const says = judge(now, before);
    if (says === last) shown = says; // what is true for a moment only is not said
    [before, last] = [now, says];
    held = says === "fine" || says === "edge" ? held + 1 : 0;
    return { says: shown, ready: held >= HOLD };
  };
}

function small({ data, width, height }) {
  const grey = new Float32Array(width * height);
  const darkest = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    const [red, green, blue] = [data[4 * at], data[4 * at + 1], data[4 * at + 2]];
    grey[at] = (red + green + blue) / 3;
    darkest[at] = Math.min(red, green, blue);
  }
  return { grey, darkest, width, height, paper: grey.slice().sort()[Math.floor(0.97 * grey.length)] };
}

function judge(now, before) {
  const { grey, width, height, paper } = now;
  const step = STEP * paper;
  const [across, down] = [[], []];
  const margin = { top: 0, bottom: 0, left: 0, right: 0 };
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      if (Math.max(Math.abs(grey[at + 1] - grey[at - 1]), Math.abs(grey[at + width] - grey[at - width])) <= step) continue;
      across.push(x);
      down.push(y);
      margin.top += y <= MARGIN;
      margin.bottom += y >= height - 1 - MARGIN;
      margin.left += x <= MARGIN;
      margin.right += x >= width - 1 - MARGIN;
    }
  }
  if (across.length < FEW) return "empty";
  if (paper < DARK) return "dark";
  if (before?.grey.length !== grey.length) return "move";
  const changed = grey.reduce((sum, value, at) => sum + (Math.abs(value - before.grey[at]) > step), 0);
  if (changed > FEW && changed > MOVED * across.length) return "move";
  if (hasSheen(now)) return "glare";
  if (Math.max(extent(across) / width, extent(down) / height) < SMALL) return "closer";
  const isCut = Math.max(margin.top, margin.bottom) / width > CALM * MARGIN || Math.max(margin.left, margin.right) / height > CALM * MARGIN;
  return isCut ? "edge" : "fine";
}

function extent(places) {
  const sorted = Float32Array.from(places).sort();
  return sorted[Math.floor(0.98 * sorted.length)] - sorted[Math.floor(0.02 * sorted.length)];
}

// Whether light glares on paper: burnt out, with paper around that is not. A card that is bright as a whole reads well.
function hasSheen({ darkest, width, height }) {
  const reached = new Uint8Array(darkest.length);
  let burnt = 0;
  darkest.forEach((value, at) => {
    if (value < BURNT) return;
    burnt += 1;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let row = Math.max(0, y - SHEEN.reach); row <= Math.min(height - 1, y + SHEEN.reach); row += 1) {
      reached.fill(1, row * width + Math.max(0, x - SHEEN.reach), row * width + Math.min(width, x + SHEEN.reach + 1));
    }
  });
  if (burnt < SHEEN.share * darkest.length) return false;
  const around = darkest.filter((value, at) => reached[at] && value < BURNT);
  const paper = around.filter((value) => value >= SHEEN.paper[0] && value < SHEEN.paper[1]);
  return paper.length >= SHEEN.around * around.length;
}
