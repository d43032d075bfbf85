"""``handfoot scan``: reads the cards in photos."""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.errors import PhotoError
from vision.images.decode import load_photo, photos_in
from vision.images.jpeg import to_jpeg
from vision.images.overlay import annotate
from vision.values import Reading
from webui.commands.cards.in_play import add_in_play_options, in_play
from webui.commands.output import print_json, print_lines, print_message
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import Reader


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("scan", help="read the cards in photos")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", type=Path, help="a photo, or a folder of photos")
    add_in_play_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.add_argument(
        "--annotate", metavar="DIR", type=Path, help="also write each photo there with the cards outlined"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Reads all photos; one that cannot be read gets a sentence and makes the exit code 1.

    Raises:
        RulesError, DeckError: as ``in_play``.
        WeightsError: the reader's weights are missing or damaged.
        PhotoError: the folder for the annotated photos cannot be made.
    """
    given = in_play(arguments)
    out: Path | None = arguments.annotate
    if out is not None:
        _make(out)
    code = 0
    paths: list[Path] = []
    for photo in arguments.photos:
        try:
            paths += photos_in(photo)
        except PhotoError as error:
            print_message(str(error))
            code = 1
    reader: Reader | None = None
    written: set[str] = set()
    for path in paths:
        try:
            frame = load_photo(path)
            reader = reader or load_chosen_reader(given.data_dir)[1]
            reading = reader.read(frame, given.house, given.taught)
            if out is not None:
                _write(out / _free_name(path, written), to_jpeg(annotate(frame.pixels, reading)))
        except PhotoError as error:
            print_message(str(error))
            code = 1
            continue
        if arguments.json:
            print_json({"photo": str(path), **reading.as_json()})
        else:
            print_lines(as_text(path, reading))
    return code


def as_text(path: Path, reading: Reading) -> list[str]:
    """The reading for people: one line a group, doubtful cards with a question mark."""
    rows = [f"{path}: {len(reading.cards)} cards, {reading.seconds:.2f} s"]
    for group in reading.groups:
        cards = " ".join(
            f"{card.face}?" if card.doubt else str(card.face) for card in (reading.cards[i] for i in group.cards)
        )
        kind = f"{group.book} {group.kind}" if group.book else group.kind
        rows.append(f"  {kind}: {cards}" + (f"  ({group.doubt})" if group.doubt else ""))
    rows += [f"  ! {notice.message}" for notice in reading.warnings]
    return rows


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PhotoError(f"the folder {folder} cannot be made: {error.strerror or error}; name another") from error


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise PhotoError(f"{path} cannot be written: {error.strerror or error}") from error


def _free_name(path: Path, written: set[str]) -> str:
    """A file name for the annotated photo that is used only once in this run; two folders may both have a ``1.jpg``."""
    name, number = f"{path.stem}-cards.jpg", 1
    while name in written:
        number += 1
        name = f"{path.stem}-cards-{number}.jpg"
    written.add(name)
    return name
