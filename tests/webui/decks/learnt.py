"""What was learnt of decks, as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from scorer.faces import Face
from tests.vision.recognise.heads import head_of
from vision.arrays import floats
from vision.detect.detections import ROI_EMBEDDING
from vision.engines.weights import networks_hash
from webui.decks.taught import TaughtDecks
from webui.storage.files.deck_files import LEARNT_FILES
from webui.storage.files.learnt_files import LEARNT_ON

FACES = (Face("8"), Face("LADY"))


def write_learnt(
    decks: TaughtDecks,
    hashes: dict[str, str],
    whole: Sequence[str] = (),
    faces: Sequence[Face] = FACES,
) -> Path:
    """Writes what was learnt of decks with these ``hashes``, beside the decks; returns its folder."""
    folder = decks.folder / "learnt"
    folder.mkdir(parents=True, exist_ok=True)
    names, note = (folder / name for name in LEARNT_FILES)
    head_of(faces, floats(np.eye(len(faces), ROI_EMBEDDING))).save(names)
    told = {
        "sha256": {names.name: sha256(names.read_bytes()).hexdigest()},
        "faces": [str(face) for face in faces],
        "decks": hashes,
        "whole": [*whole],
        "networks": networks_hash(LEARNT_ON),
        "seconds": 400,
        "self_test": "On practice tables 60 of 64 cards were read right",
        "tests": {id: {"check": [str(faces[0])], "type": [str(faces[-1])]} for id in hashes},
        "recipe": "another key",
    }
    note.write_text(json.dumps(told), encoding="utf-8")
    return folder
