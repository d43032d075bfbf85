"""Learns taught decks of a household: python -m models.learn DECKS --deck ID=HASH…

DECKS is the folder ``decks`` of the data folder; the result goes to ``DECKS/learnt``, with the hash of each deck as
it was given. With --with-parent it ends when its standard input does, so with the command that started it. Progress is
printed as JSON lines: ``{"pid": 1234}``, then ``{"share": 0.4, "seconds_left": 30}`` and so on, and at the end
``{"told": "On practice tables 310 of 320 cards were read right"}``, or ``{"error": "…"}`` with exit status 1. Stopped,
it leaves nothing behind.
"""

from __future__ import annotations

import argparse
import errno
import json
import math
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import cv2
from filelock import FileLock, Timeout

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.index_places import is_light_on_dark
from datasets.decks.pictured_deck import (
    PicturedDeckError,
    deck_of_pictures,
    read_pictures,
    with_contrast,
    with_faces_of,
)
from datasets.decks.play import play_of
from datasets.decks.unsuited.draw import draw_unsuited_deck, hand_n_foot_deck
from models.learn.learning import learn
from models.learn.self_test import DeckToLearn
from scorer.deck import DeckProfile, load_deck, use_deck_folder
from scorer.errors import DeckError
from vision.engines.load import load_detector
from vision.errors import WeightsError
from webui.storage.files.deck_files import LEARNT
from webui.storage.files.learnt_files import LOCK

FILLED_WITH = 3
"""So many drawn decks show pictures that are no whole deck."""
_DRAWN: dict[str, Callable[[str, int], DeckArt]] = {
    "standard": draw_deck,
    "hand-n-foot": hand_n_foot_deck,
    "remastered": draw_unsuited_deck,
}
"""What draws a deck of a kind, by the id of its profile."""
FULL = "Learning ended because the disk is full. Free up some space and try again."
NEEDED_BYTES = 32 * 1024**2
"""With less room on the disk than this, what fails is put down to it: libraries do not always say so."""
FAULT = "Learning ended because of a fault in the program. Try again, and report it if it happens once more."


def _say(**told: object) -> None:
    print(json.dumps(told), flush=True)


def _progress(share: float, seconds: float) -> None:
    _say(share=round(share, 3), seconds_left=None if math.isnan(seconds) else round(seconds))


def _named(text: str) -> tuple[str, str]:
    id, found, digest = text.partition("=")
    if not id or not found or not digest:
        raise argparse.ArgumentTypeError(f"expected ID=HASH, got {text!r}")
    return id, digest


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.learn", description="Learns the decks of a household.")
    parser.add_argument("decks", type=Path, help="the folder with a folder for each taught deck")
    parser.add_argument("--deck", type=_named, action="append", required=True, metavar="ID=HASH", help="a taught deck")
    parser.add_argument("--with-parent", action="store_true", help="end when the standard input ends")
    options = parser.parse_args(arguments)
    if options.with_parent:
        Thread(target=_end_with_parent, daemon=True).start()
    out = options.decks / LEARNT
    out.mkdir(parents=True, exist_ok=True)
    lock = FileLock(out / LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        _say(error="The cards are being learned already.")
        return 1
    _say(pid=os.getpid())
    try:
        return _learn(options.decks, dict(sorted(options.deck)), out)
    finally:
        lock.release()


def _learn(folder: Path, hashes: dict[str, str], out: Path) -> int:
    try:
        use_deck_folder(folder)
        detector, decks = load_detector(), []
        for id in hashes:
            profile = load_deck(id)
            pictures = read_pictures(folder / id / "faces")
            arts = whole_decks(deck_of_pictures(pictures, play_of(profile), name=id), profile)
            if is_light_on_dark([one for some in arts[0].faces.values() for one in some]):
                arts = [with_contrast(art) for art in arts]
            decks.append(DeckToLearn(id, pictures, arts))
        told = learn(decks, detector, out, progress=_progress, notes={"decks": hashes})
    except (WeightsError, DeckError, PicturedDeckError) as error:
        _say(error=str(error))
        return 1
    except Exception as error:
        traceback.print_exc()
        _say(error=FULL if is_full(error, out) else FAULT)
        return 1
    _say(told=told)
    return 0


def is_full(error: Exception, folder: Path) -> bool:
    """Whether an error comes of a full disk."""
    said = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return said or shutil.disk_usage(folder).free < NEEDED_BYTES


def _end_with_parent() -> None:
    """Ends this process when nobody holds the other end of its standard input any more, however they ended."""
    sys.stdin.buffer.read()
    os._exit(1)


def whole_decks(own: DeckArt, profile: DeckProfile) -> list[DeckArt]:
    """A household's ``own`` deck; where faces of its kind are missing, such as all but the jokers, a few drawn decks of
    that kind with its pictures in them."""
    draw = _DRAWN.get(profile.id)
    if draw is None or set(profile.faces) <= set(own.faces):
        return [own]
    return [with_faces_of(draw(f"{own.name}-{seed}", seed), own) for seed in range(FILLED_WITH)]


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # the table comes first
    cv2.setNumThreads(1)
    sys.exit(main())
