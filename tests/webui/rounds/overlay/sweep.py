"""Reads pictures with the shipped reader and measures the tags over each; by hand, as it takes minutes.

    python -m tests.webui.rounds.overlay.sweep PICTURE_OR_FOLDER ...

Prints what is wrong with each, and how many cards are named at each width. Exits with 1 if anything is wrong. With
``--keep FILE`` the readings are kept, a JSON document a line.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.webui.rounds.overlay.measured import faults, side_with
from vision.errors import PhotoError
from vision.images.decode import load_photo, photos_in
from vision.reader import load_reader
from webui.rounds.overlay.tags import CLOSE_WIDTHS, names
from webui.rounds.stored_reading import reading_document


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    try:
        paths = [path for given in arguments.pictures for path in photos_in(given)]
    except PhotoError as error:
        parser.error(str(error))
    reader, wrong, kept = load_reader(), 0, []
    for path in paths:
        reading = reading_document(reader.read(load_photo(path)))
        kept.append(json.dumps(reading))
        found = list(faults(reading))
        wrong += len(found)
        print(path.name, _named(reading), *found, sep="\n  ", flush=True)
    if arguments.keep:
        arguments.keep.write_text("\n".join(kept) + "\n", encoding="utf-8")
    print(f"{wrong} faults")
    return 1 if wrong else 0


def _named(reading: dict[str, Any]) -> str:
    """How many cards are named at each width, and how long that took."""
    side, photo = side_with(reading)
    cards, parts = len(reading["cards"]), []
    for width in CLOSE_WIDTHS:
        begun = time.process_time()
        (shown,) = names(side.table.groups, photo, side, (width,), "larger")  # a size that is not remembered
        spent = time.process_time() - begun
        parts.append(f"{width}: {sum(one.card is not None for one in shown.tags)}/{cards} in {spent * 1000:.0f} ms")
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
