"""What was learnt of decks, as files: the shipped network in place of one that was taught."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from scorer.faces import Face
from vision.arrays import floats
from vision.detect.detections import ROI_EMBEDDING
from vision.engines.weights import FOLDER
from vision.recognise.deck_head import taught
from vision.recognise.roi_head import ROI_WEIGHTS, is_in_graph
from webui.decks.taught import TaughtDecks
from webui.storage.files.deck_files import LEARNT_FILES

FACES = (Face("8"), Face("LADY"))


@cache
def weights() -> bytes:
    """The file of weights."""
    written = io.BytesIO()
    with np.load(FOLDER / ROI_WEIGHTS) as shipped:
        np.savez(written, **{name: shipped[name] for name in shipped.files if is_in_graph(name)})
    return written.getvalue()


def write_learnt(
    decks: TaughtDecks,
    hashes: dict[str, str],
    whole: Sequence[str] = (),
    dark: Sequence[str] = (),
    faces: Sequence[Face] = FACES,
    place: str = ".",
) -> Path:
    """Writes what was learnt of decks with these ``hashes``, beside the decks; returns its folder."""
    folder = decks.folder / "learnt" / place
    folder.mkdir(parents=True, exist_ok=True)
    network, names, note = (folder / name for name in LEARNT_FILES)
    network.write_bytes(weights())
    taught(faces, floats(np.eye(len(faces), ROI_EMBEDDING))).save(names)
    told = {
        "sha256": {path.name: sha256(path.read_bytes()).hexdigest() for path in (network, names)},
        "faces": [str(face) for face in faces],
        "decks": hashes,
        "whole": [*whole],
        "dark": [*dark],
        "seconds": 400,
        "self_test": "3 of 3 told apart; closest pair 8 and lady",
        "recipe": "another key",
    }
    note.write_text(json.dumps(told), encoding="utf-8")
    return folder
