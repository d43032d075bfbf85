// Entry point of the scripts. Everything but pointing at a place in a photo also works without scripts.
import { openDialogs } from "./dialogs.js";
import { watchPhotos } from "./photos.js";
import { keepPlace, resendOnChange, showBusy } from "./forms.js";
import { followGame } from "./follow.js";
import { offerSpeech, speakNews } from "./speech.js";
import { seatPeople } from "./people.js";
import { checkRules } from "./rules.js";
import { offerBrowserButtons } from "./browser.js";
import { sendPhotos } from "./upload.js";
import { dragCards } from "./drag.js";
import { watchForChanges } from "./stale.js";

document.documentElement.classList.add("scripted");
for (const held of document.querySelectorAll("[data-script]")) held.hidden = false;
keepPlace();
resendOnChange();
showBusy();
openDialogs();
watchPhotos();
offerSpeech();
followGame(speakNews);
seatPeople();
checkRules();
offerBrowserButtons();
sendPhotos();
dragCards();
watchForChanges();
