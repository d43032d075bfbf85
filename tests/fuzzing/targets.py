"""Random inputs and what must hold for each: it is processed, or refused in one sentence."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
from hypothesis import strategies as st

from scorer.rules import RulesError, load_rules, read_rules, rules_file
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from tests.vision.images.photo_files import HEIC, jpeg, png, webp
from tests.vision.images.test_decode import encode, noise
from vision.errors import PhotoError
from vision.images.decode import decode_photo
from vision.images.sandbox import LONGEST_KEPT, Decoder

WORKED = Path(__file__).parents[1] / "scorer" / "worked"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=12,
)


@lru_cache
def worked_sheets() -> list[str]:
    """Valid round sheets as JSON text."""
    found = [json.loads(path.read_text(encoding="utf-8"))["sheet"] for path in sorted(WORKED.glob("*.json"))]
    return [json.dumps(sheet) for sheet in found]


@lru_cache
def rule_files() -> list[str]:
    """The text of some shipped rule sets."""
    return [rules_file(id).read_text(encoding="utf-8") for id in ("golden-games", "hand-n-foot", "canasta", "vegas")]


@lru_cache
def photo_files() -> list[bytes]:
    """Small valid photos of each format, with and without metadata, plain and progressive."""
    ok, progressive = cv2.imencode(".jpg", noise(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert ok
    return [jpeg(6), encode(noise()[:64, :80]), png(5), webp(8), progressive.tobytes(), HEIC]


@st.composite
def mutated_sheets(draw: st.DrawFn) -> Any:
    """A valid sheet with some values changed, removed or added."""
    document = json.loads(draw(st.sampled_from(worked_sheets())))
    for _ in range(draw(st.integers(0, 4))):
        at = document
        while isinstance(at, (dict, list)) and at:
            key = draw(st.sampled_from(sorted(at))) if isinstance(at, dict) else draw(st.integers(0, len(at) - 1))
            inner = at[key]
            if isinstance(inner, (dict, list)) and inner and draw(st.booleans()):
                at = inner
                continue
            match draw(st.sampled_from(("change", "remove", "add"))):
                case "remove":
                    del at[key]
                case "add" if isinstance(at, dict):
                    at[draw(st.text(max_size=8))] = draw(JSON)
                case _:
                    at[key] = draw(JSON)
            break
    return document


@st.composite
def mutated_rule_files(draw: st.DrawFn) -> str:
    """A valid rule file with some lines changed, duplicated or removed."""
    lines = draw(st.sampled_from(rule_files())).splitlines()
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(("text", "value", "gone", "twice"))):
            case "text":
                lines[at] = draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
            case "value":
                lines[at] = lines[at].partition("=")[0] + "= " + draw(st.sampled_from(_VALUES))
            case "gone":
                lines[at] = ""
            case _:
                lines.insert(at, lines[at])
    return "\n".join(lines)


_VALUES = (
    "-1",
    "0",
    "99999999999999999999",
    "1e999",
    "nan",
    "true",
    '""',
    "[]",
    "{}",
    "[[]]",
    "2026-01-02",
    '"\\u0000"',
)


@st.composite
def mutated_photos(draw: st.DrawFn) -> bytes:
    """A valid photo file with some bytes changed, removed, inserted or duplicated."""
    data = bytearray(draw(st.sampled_from(photo_files())))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        match draw(st.sampled_from(("other", "size", "gone", "more", "twice", "end"))):
            case "other":
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case "size":
                data[at : at + 4] = draw(st.sampled_from((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff")))
            case "gone":
                del data[at : at + draw(st.integers(1, 200))]
            case "more":
                data[at:at] = draw(st.binary(max_size=40))
            case "twice":
                data[at:at] = data[at : at + draw(st.integers(1, 400))]
            case _:
                del data[at:]
    return bytes(data)


def check_sheet(document: Any) -> None:
    """Asserts that a sheet is refused in one sentence, or scored with totals that are the sums of their lines."""
    try:
        sheet = read_sheet(document)
        tally = score(sheet, load_rules(sheet.rules))
    except (SheetError, RulesError) as error:
        assert str(error) and "Traceback" not in str(error)
        return
    for side in tally.sides:
        assert side.total == sum(line.points for line in side.lines)


def check_rules(text: str, folder: Path) -> None:
    """Asserts that a rule file is refused in one sentence, or that sheets can be scored with it."""
    path = folder / "fuzzed.toml"
    path.write_text(text.replace('id = "', 'id = "fuzzed" # ', 1), encoding="utf-8")
    try:
        rules = read_rules(path)
    except RulesError as error:
        assert str(error).startswith("fuzzed.toml")
        return
    for sheet in worked_sheets()[:4]:
        try:
            score(read_sheet({**json.loads(sheet), "rules": "golden-games"}), rules)
        except (SheetError, RulesError) as error:
            assert str(error)


def check_photo(decoder: Decoder, data: bytes) -> bool:
    """Asserts that a photo is refused in one sentence, or that its stored file decodes to a picture of the same size.

    Returns:
        Whether it was decoded.
    """
    try:
        frame, kept = decoder.decode(data, "a photo")
    except PhotoError as error:
        assert str(error).startswith("a photo ")
        return False
    assert max(frame.width, frame.height) <= LONGEST_KEPT
    assert decode_photo(kept, "a photo").pixels.shape == frame.pixels.shape
    return True
