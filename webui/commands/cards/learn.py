"""``handfoot learn``: teaches a household's own cards from photos of them in plain sight."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from scorer.deck import is_deck_id, load_deck, own_decks, shipped_decks
from scorer.errors import DeckError
from scorer.faces import Face, FaceError
from vision.images.decode import load_photo
from vision.images.jpeg import to_webp
from vision.images.sandbox import shared_decoder
from vision.teach.assignment import Assignment, assign_listed
from vision.teach.photos import read_deck_photos
from vision.teach.taught import DeckPhotos, TeachingNote
from webui.commands.options import add_data_option, read_text
from webui.commands.output import print_json, print_lines, print_message, print_progress
from webui.decks.learning import DeckLearning
from webui.decks.taught import TaughtDecks
from webui.reading.engine_choice import load_chosen_reader
from webui.settings import default_data_dir

MOST_PHOTOS = 4
QUALITY = 80


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("learn", help="teach the program your own cards from photos of them")
    parser.add_argument("id", help="the deck to teach: a new name of letters, digits and hyphens, or one of yours")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", type=Path, help="one to four photos, cards in rows")
    parser.add_argument(
        "--faces",
        metavar="FILE",
        type=Path,
        help="JSON: for each photo the list of its cards, row by row from the left; without it they are proposed",
    )
    parser.add_argument(
        "--base", metavar="ID", help="the kind of cards, or one of your decks to add to (default: standard)"
    )
    add_data_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Teaches the cards and learns them; without a list of faces prints the proposals as such a list.

    Raises:
        DeckError: the base is unknown, or the list of faces cannot be used.
        PhotoError: a photo cannot be read.
        StorageError: the pictures cannot be kept, or learning cannot be started.
        WeightsError: the reader's weights are missing or damaged.
    """
    data_dir: Path = arguments.data or default_data_dir()
    if len(arguments.photos) > MOST_PHOTOS:
        raise DeckError(f"expected one to {MOST_PHOTOS} photos of a deck, got {len(arguments.photos)}")
    if not is_deck_id(arguments.id):
        raise DeckError(f"expected a name of your own, of letters, digits and hyphens, got {arguments.id[:60]!r}")
    decks = TaughtDecks(data_dir, shared_decoder().decode)
    base = arguments.base or (arguments.id if arguments.id in own_decks() else "standard")
    faces = load_deck(base).faces
    listed = None if arguments.faces is None else read_faces(arguments.faces, faces)
    frames = [load_photo(path) for path in arguments.photos]
    photos = read_deck_photos(frames, load_chosen_reader(data_dir)[1].read, faces)
    if listed is None:
        _tell(photos.notes)
        print_json(proposals(photos, len(frames)))
        return 0
    assignment, notes = assign_listed(photos, faces, listed, _variants(listed))
    if notes:  # what is certain without the list could be kept, but whoever wrote it meant other cards
        _tell(notes)
        print_message("nothing was learned; correct the list of cards and try again")
        return 1
    _tell((*photos.notes, *assignment.notes()))
    if not assignment.pictures():
        print_message("none of the cards could be used, so nothing was learned")
        return 1
    _keep(decks, arguments.id, base, assignment)
    return _learn(DeckLearning(decks, with_parent=True))


def read_faces(path: Path, faces: Sequence[Face]) -> list[list[Face]]:
    """Reads the faces on each photo from a JSON file.

    Raises:
        DeckError: it cannot be read, is not a list of lists, or names a face that the deck does not have.
    """
    try:
        photos = json.loads(read_text(path))
    except OSError as error:
        raise DeckError(f"{path} cannot be opened: {error.strerror}; check the name and try again") from error
    except (ValueError, RecursionError) as error:
        why = "it is nested far too deeply" if isinstance(error, RecursionError) else error
        raise DeckError(f"expected a JSON file with a list of cards for each photo in {path}: {why}") from error
    if not isinstance(photos, list) or not all(isinstance(photo, list) for photo in photos):
        raise DeckError(f'expected a list of cards for each photo in {path}, such as [["8H", "JK"], ["2C"]]')
    return [[_face(text, faces, path) for text in photo] for photo in photos]


def _face(text: object, faces: Sequence[Face], path: Path) -> Face:
    try:
        face = Face.parse(text) if isinstance(text, str) else None
    except FaceError:
        face = None
    if face is None or face not in faces:
        raise DeckError(f"expected the cards of the deck in {path}, got {text!r}; correct it there")
    return face


def proposals(photos: DeckPhotos, count: int) -> list[list[str | None]]:
    """The likeliest face of each card of each photo; None where nothing is known."""
    return [
        [str(card.proposals[0][0]) if card.proposals else None for card in photos.of_photo(number)]
        for number in range(count)
    ]


def _variants(listed: Sequence[Sequence[Face]]) -> frozenset[Face]:
    """Cards without a suit that are listed several times: two jokers of a pack often differ."""
    named = [face for photo in listed for face in photo if not face.suit]
    return frozenset(face for face in named if named.count(face) > 1)


def _keep(decks: TaughtDecks, id: str, base: str, assignment: Assignment) -> None:
    """Stores the pictures: as a new deck, or in place of those that the deck has of the same faces."""
    pictures = {
        face: [to_webp(card.picture, QUALITY) for card in cards] for face, cards in assignment.pictures().items()
    }
    if id not in own_decks():
        profile: object = base if base in shipped_decks() else decks.get(base).file.profile
        kept = [] if base in shipped_decks() else list(decks.get(base).pictures)
        files = [(kept_one.face, kept_one.path.read_bytes()) for kept_one in kept if kept_one.face not in pictures]
        files += [(face, data) for face, several in pictures.items() for data in several]
        decks.add(id, profile, files, id)  # type: ignore[arg-type]
        return
    decks.teach(id, pictures)


def _learn(learning: DeckLearning) -> int:
    """Learns all decks of the household, telling how far it is; Ctrl-C stops it."""
    learning.start()
    try:
        while (state := learning.state()).kind == "running":
            left = "" if state.seconds_left is None else f", about {state.seconds_left} s left"
            print_progress(f"learning {state.share:.0%}{left}")
            time.sleep(1)
    except KeyboardInterrupt:
        learning.cancel()
        print_message("learning was stopped; the same command starts it again")
        return 1
    print_progress("")
    if state.kind != "done":
        print_message(state.told or "learning ended before it was done; the same command starts it again")
        return 1
    print_lines([state.told])
    return 0


def _tell(notes: Sequence[TeachingNote]) -> None:
    for note in notes:
        print_message(note.message)
