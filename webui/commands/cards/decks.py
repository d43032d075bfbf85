"""``handfoot decks``: lists the decks, shipped and own, and whether their cards can be read; or shows one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scorer.deck import DeckProfile, broken_decks, load_deck, own_decks, shipped_decks, spoken
from vision.images.sandbox import shared_decoder
from webui.commands.options import add_data_option
from webui.commands.output import print_json, print_lines, print_message
from webui.decks.in_play import is_readable, lacks_cards, name_of_deck
from webui.decks.learnt import read_learnt
from webui.decks.taught import TaughtDeck, TaughtDecks
from webui.settings import default_data_dir
from webui.storage.files.learnt_files import Learnt


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("decks", help="list the decks that can be read or taught, or show one")
    parser.add_argument("id", nargs="?", help="the deck to show; without it all are listed")
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lists all decks; one whose file is wrong gets a sentence and makes the exit code 1.

    Raises:
        DeckError: the deck asked for is unknown, or its file is wrong.
        StorageError: its pictures cannot be read.
    """
    data_dir: Path = arguments.data or default_data_dir()
    decks = TaughtDecks(data_dir, shared_decoder().decode)
    learnt = read_learnt(data_dir)
    own = {deck.id: deck for deck in decks.all()}
    ids = [arguments.id] if arguments.id else [*shipped_decks(), *own]
    for id in ids:
        profile = load_deck(id)
        taught = decks.get(id) if id in own_decks() else None
        if arguments.json:
            print_json(_document(id, profile, taught, learnt, is_readable(id, decks, learnt)))
        else:
            state = _state(taught, is_readable(id, decks, learnt), learnt)
            if arguments.id:
                print_lines(_lines(id, profile, taught, learnt, state))
            else:
                print_lines([f"{id:<18} {name_of_deck(id):<34} {state}"])
    broken = {} if arguments.id else broken_decks()
    for sentence in broken.values():
        print_message(sentence)
    return 1 if broken else 0


def _state(taught: TaughtDeck | None, readable: bool, learnt: Learnt | None) -> str:
    if taught is not None and taught.pictures:
        if learnt is not None and learnt.covers(taught):
            return f"learnt, but {len(taught.missing)} of its cards never shown" if lacks_cards(taught) else "learnt"
        return "taught, not learnt yet" if not readable else "read without teaching; its pictures are not learnt yet"
    return "read without teaching" if readable else "not taught yet"


def _lines(id: str, profile: DeckProfile, taught: TaughtDeck | None, learnt: Learnt | None, state: str) -> list[str]:
    rows = [f"{name_of_deck(id)} ({id}): {state}"]
    cards = sum(profile.copies.values())
    rows.append(f"a pack: {cards} cards, {len(profile.faces)} faces")
    rows.append("faces: " + " ".join(f"{face}×{count}" for face, count in profile.copies.items()))
    if profile.wild_ranks:
        rows.append(f"may be wild: {', '.join(map(profile.plural, profile.wild_ranks))}")
    named = [f"{face} is spoken of as {spoken(face)}" for face in profile.faces if face.rank in profile.names]
    rows += named
    rows += [f"{rank} stands for {name} in rules that do not name it" for rank, name in profile.called.items()]
    if taught is not None:
        rows.append(f"pictures: {len(taught.pictures)}, of {len(taught.faces)} faces, in {taught.folder}")
        if taught.pictures and taught.missing:
            rows.append(f"no picture of: {' '.join(map(str, taught.missing))}")
        if learnt is not None and learnt.covers(taught):
            rows.append(f"self-test after learning: {learnt.self_test or 'not told'}")
    return rows


def _document(
    id: str, profile: DeckProfile, taught: TaughtDeck | None, learnt: Learnt | None, readable: bool
) -> dict[str, Any]:
    covered = taught is not None and learnt is not None and learnt.covers(taught)
    document: dict[str, Any] = {
        "id": id,
        "name": name_of_deck(id),
        "own": taught is not None,
        "profile": profile.id,
        "cards": sum(profile.copies.values()),
        "faces": [
            {
                "face": str(face),
                "copies": count,
                "name": spoken(face),
                "plural": profile.plural(face.rank),
                "wild": face.rank in profile.wild_ranks,
                "called": profile.called.get(face.rank),
            }
            for face, count in profile.copies.items()
        ],
        "readable": readable,
        "learnt": covered,
    }
    if taught is not None:
        pictures = [{"face": str(one.face), "variant": one.variant, "file": str(one.path)} for one in taught.pictures]
        document |= {
            "removed": taught.file.removed,
            "pictures": pictures,
            "missing": [str(face) for face in taught.missing],
            "self_test": learnt.self_test if learnt is not None and covered else None,
        }
    return document
