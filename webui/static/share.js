// Shares the result of a game by the device's own share sheet, or saves it: the picture is made a PNG here, in the
// device's own type, which knows every script that people write their names in.

async function canvasOf(address) {
  const drawn = new Image();
  drawn.src = address;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawn.naturalWidth;
  canvas.height = drawn.naturalHeight;
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  return canvas;
}

function canShare() {
  return Boolean(navigator.canShare?.({ files: [new File([""], "result.png", { type: "image/png" })] }));
}

// Follows the link as a browser without scripts does, unless somebody closed the share sheet (AbortError).
function otherwise(link) {
  return (error) => error.name !== "AbortError" && location.assign(link.href);
}

async function share(link) {
  const { share: address, file, text } = link.dataset;
  const canvas = await canvasOf(address);
  const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
  await navigator.share({ files: [new File([png], file, { type: "image/png" })], text });
}

async function save(link) {
  const saved = document.createElement("a");
  saved.href = (await canvasOf(link.dataset.save)).toDataURL("image/png");
  saved.download = link.dataset.file;
  saved.click();
}

// Copies a text; browsers keep the clipboard from pages that are not encrypted, but let them copy what is selected.
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    const field = document.createElement("textarea");
    field.value = button.dataset.copy;
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = button.dataset.copied;
}

// Heard here, since the page of a game is replaced while it is open.
document.addEventListener("click", (event) => {
  const text = event.target.closest("[data-copy]");
  if (text) copy(text);
  const link = event.target.closest("[data-share], [data-save]");
  if (!link || ("share" in link.dataset && !canShare())) return;
  event.preventDefault();
  ("share" in link.dataset ? share(link) : save(link)).catch(otherwise(link));
});

for (const link of document.querySelectorAll("[data-share]")) link.hidden = link.hidden && !canShare();
// One button is the main one.
document.querySelector("[data-share][hidden] ~ [data-save]")?.classList.remove("quiet");
