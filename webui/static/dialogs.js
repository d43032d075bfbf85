// Opens links marked data-dialog in a dialog over this page, so that the scroll position is kept.

let open = null;

export function openDialogs() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(link.href?.baseVal ?? link.href);
  });
}

export async function openDialog(address) {
  let content = null;
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    content = page.getElementById("dialog");
  } catch {
    // The server does not answer; following the link shows the browser's own error page.
  }
  if (!content) {
    location.assign(address);
    return;
  }
  open?.close();
  const sheet = document.createElement("dialog");
  sheet.className = "sheet";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button quiet close";
  close.textContent = "Close";
  close.addEventListener("click", () => sheet.close());
  sheet.append(close, document.adoptNode(content));
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  sheet.addEventListener("close", () => {
    sheet.remove();
    open = null;
  });
  document.body.append(sheet);
  sheet.showModal();
  open = sheet;
}
