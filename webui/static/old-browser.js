// Tells people whose browser is older than those that the page supports what to do. Any browser reads this script.
if (!("findLast" in [])) {
  var note = document.createElement("p");
  var main = document.getElementById("content");
  note.className = "notice bad";
  note.textContent = document.getElementById("old-browser").getAttribute("data-says");
  main.insertBefore(note, main.firstChild);
}
