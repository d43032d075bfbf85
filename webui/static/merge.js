// Makes a part of the page equal to what the server says it is now, and touches only what differs: what is typed, open or
// focused elsewhere stays, and pictures are not loaded again.

export function merge(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isOpened(old, name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const same = counterpart(old, at, next);
    if (same) {
      while (at && at !== same && !isAhead(at, fresh)) at = dropped(at);
      if (at === same) at = at.nextSibling;
      else old.insertBefore(same, at);
      merge(same, next);
    } else old.insertBefore(document.adoptNode(next), at);
  }
  while (at) at = dropped(at);
}

// What a person opened stays open.
function isOpened(element, attribute) {
  return attribute === "open" && element.nodeName === "DETAILS";
}

// The child of old that next is now: the one with its id, or the next one there of the same kind.
function counterpart(old, at, next) {
  if (next.id) return [...old.children].find((child) => child.id === next.id && child.nodeName === next.nodeName);
  if (next.nodeType !== Node.ELEMENT_NODE) return at?.nodeType === next.nodeType ? at : null;
  let same = at;
  while (same && (same.id || kind(same) !== kind(next))) same = same.nextSibling;
  return same;
}

// A field that may hold what was typed is the same only under the same name, in a form that goes to the same place.
function kind(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const choice = ["radio", "checkbox"].includes(node.type) && node.value;
  return [node.nodeName, node.classList[0], node.getAttribute("action"), node.getAttribute("name"), choice].join(" ");
}

// Whether a child comes later in what the page is now.
function isAhead(child, fresh) {
  return Boolean(child.id) && [...fresh.children].some((one) => one.id === child.id);
}

function dropped(child) {
  const next = child.nextSibling;
  child.remove();
  return next;
}
