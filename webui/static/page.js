// What makes the page quicker to use. Everything but pointing at a place in a photo also works without it.
import { openSheets } from "./sheets.js";
import { watchPhotos } from "./photos.js";
import { keepPlace, resendOnChange, showBusy } from "./forms.js";
import { followGame } from "./live.js";
import { offerSpeech, sayNews } from "./speak.js";
import { seatPeople } from "./people.js";
import { checkRules } from "./rules.js";
import { offerScreen } from "./screen.js";
import { sendPhotos } from "./upload.js";
import { dragCards } from "./drag.js";
import { watchOthers } from "./others.js";

document.documentElement.classList.add("scripted");
for (const held of document.querySelectorAll("[data-script]")) held.hidden = false;
keepPlace();
resendOnChange();
showBusy();
openSheets();
watchPhotos();
offerSpeech();
followGame(sayNews);
seatPeople();
checkRules();
offerScreen();
sendPhotos();
dragCards();
watchOthers();
