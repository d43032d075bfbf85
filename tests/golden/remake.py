"""Makes the golden readings again and shows what changed: ``python -m tests.golden.remake [--dry-run]``.

For changes of the weights or of the reading that are meant to change readings. Needs fonts-dejavu, fonts-lato and
fonts-liberation, in which the golden tables are drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from tests.drawing_fonts import TEST_FONT_FOLDERS, use_test_fonts
from tests.golden.pictures import DRAWN_NAMES, SAMPLE_NAMES, can_draw, picture, signature
from tests.golden.readings import READINGS, TALLY, Compact, compact, differences, load, to_json
from tests.golden.tally import photo_to_tally, tally_differences, tally_json
from vision.reader import load_reader


def remade() -> tuple[dict[str, Compact], dict[str, Any]]:
    """The readings of all golden pictures, and the golden tally, as the program gives them now."""
    reader, readings = load_reader(), {}
    for name in (*SAMPLE_NAMES, *DRAWN_NAMES):
        frame = picture(name)
        readings[name] = compact(reader.read(frame))
        if name in DRAWN_NAMES:
            readings[name]["picture"] = signature(frame.pixels)
    return readings, photo_to_tally(reader.read)


def changes(before: dict[str, Compact], after: dict[str, Compact]) -> list[str]:
    """Every difference between two sets of readings, a line each, the picture first."""
    lines = [f"{name}: new" for name in after if name not in before]
    for name in after.keys() & before.keys():
        lines += [f"{name}, {line}" for line in differences(before[name], after[name], exact=True)]
        if before[name].get("picture") != after[name].get("picture"):
            lines.append(f"{name}, picture: drawn differently")
    return sorted(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")
    options = parser.parse_args()
    use_test_fonts()
    if not can_draw():
        print(
            f"expected the fonts of {', '.join(map(str, TEST_FONT_FOLDERS))}; install the packages and try again",
            file=sys.stderr,
        )
        return 1
    readings, tally = remade()
    lines = changes(load(), readings)
    if TALLY.is_file():
        lines += tally_differences(json.loads(TALLY.read_text(encoding="utf-8")), tally)
    print("\n".join(lines) or "nothing changed")
    if not options.dry_run:
        READINGS.write_text(to_json(readings), encoding="utf-8")
        TALLY.write_text(tally_json(tally), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
