// What makes the page quicker to use. Everything but pointing at a place in a photo also works without it.
import { openSheets } from "./sheets.js";
import { watchPhotos } from "./photos.js";
import { keepPlace, resendOnChange, showBusy } from "./forms.js";

document.documentElement.classList.add("scripted");
for (const held of document.querySelectorAll("[data-script]")) held.hidden = false;
keepPlace();
resendOnChange();
showBusy();
openSheets();
watchPhotos();
