// Tells people whose browser is older than those that the page supports what to do. Any browser reads this script.
if (!("findLast" in [])) {
  document.getElementById("old-browser").hidden = false;
}
