"""Golden readings: stored as compact JSON, compared with a tolerance for other processors.

A reading is stored as in ``handfoot scan --json``, without what varies or is redundant: per card the face, confidence,
doubt and outline (whole pixels); per group kind, rank, book, doubt and cards; the codes of the warnings.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from vision.doubts import DOUBT
from vision.values import Reading

FOLDER = Path(__file__).parent
READINGS = FOLDER / "readings.json"
TALLY = FOLDER / "tally.json"

MARGIN = 0.004
"""So close to ``DOUBT``, another processor may decide the doubt the other way."""
UNCERTAIN = 0.9
"""With less confidence than this, another processor may read another face."""
PIXELS = 3.0
"""How far a corner of an outline may be off."""

Compact = dict[str, Any]


def compact(reading: Reading) -> Compact:
    """A reading as it is stored."""
    found = reading.as_json()
    cards = [
        {
            "face": card["face"],
            "confidence": round(card["confidence"], 3),
            "doubt": card["doubt"],
            "quad": [[round(x), round(y)] for x, y in card["quad"]],
        }
        for card in found["cards"]
    ]
    groups = [{key: group[key] for key in ("kind", "rank", "book", "doubt", "cards")} for group in found["groups"]]
    return {"cards": cards, "groups": groups, "warnings": sorted(warning["code"] for warning in found["warnings"])}


def to_json(stored: dict[str, Compact]) -> str:
    """The stored readings as JSON with a line for each card and each group, so that a diff can be read."""
    photos = []
    for name, reading in stored.items():
        parts = []
        for key, value in reading.items():
            rows = value and isinstance(value[0], dict)
            text = ",\n".join(f"   {json.dumps(row)}" for row in value) if rows else json.dumps(value)
            parts.append(f'  "{key}": ' + (f"[\n{text}\n  ]" if rows else text))
        photos.append(f' "{name}": {{\n' + ",\n".join(parts) + "\n }")
    return "{\n" + ",\n".join(photos) + "\n}\n"


def load() -> dict[str, Compact]:
    """The stored readings by picture; none before the first ``remake``."""
    return json.loads(READINGS.read_text(encoding="utf-8")) if READINGS.is_file() else {}


def differences(before: Compact, after: Compact, exact: bool = False) -> list[str]:
    """Says what differs, a line each, as ``card 3 8H: face 8H -> 9H``; with ``exact`` without any tolerance."""
    places, lines = _matched(before["cards"], after["cards"])
    for old, new in places.items():
        lines += _card_differences(old, before["cards"][old], after["cards"][new], exact)
    lines += _group_differences(before, after, places, exact)
    if before["warnings"] != after["warnings"]:
        lines.append(f"warnings: {before['warnings']} -> {after['warnings']}")
    return lines


def _distance(one: list[list[float]], other: list[list[float]]) -> float:
    """How far the corners of two outlines are apart at most, whichever end the second begins at."""
    first, second = np.array(one), np.array(other)
    return float(min(np.abs(first - np.roll(second, turn, axis=0)).max() for turn in (0, 2)))


def _matched(before: list[Compact], after: list[Compact]) -> tuple[dict[int, int], list[str]]:
    """Which card of the new reading is which of the old one, and a line for each that has none."""
    free, places, lines = set(range(len(after))), dict[int, int](), []
    for old, card in enumerate(before):
        new = min(free, key=lambda n: (_distance(card["quad"], after[n]["quad"]), abs(n - old)), default=None)
        if new is None or _distance(card["quad"], after[new]["quad"]) > 5 * PIXELS:
            lines.append(f"card {old} {card['face']} at {card['quad'][0]}: read -> missing")
        else:
            places[old] = new
            free.remove(new)
    lines += [f"card {after[n]['face']} at {after[n]['quad'][0]}: not there -> read" for n in sorted(free)]
    return places, lines


def _card_differences(number: int, old: Compact, new: Compact, exact: bool) -> list[str]:
    sure = min(old["confidence"], new["confidence"])
    near = any(abs(card["confidence"] - DOUBT) <= MARGIN for card in (old, new))
    compared = {
        "face": exact or sure >= UNCERTAIN,
        "doubt": exact or not near,
        "confidence": exact,
    }
    where = f"card {number} {old['face']}"
    lines = [f"{where}: {key} {old[key]} -> {new[key]}" for key, on in compared.items() if on and old[key] != new[key]]
    distance = _distance(old["quad"], new["quad"])
    if distance > (0 if exact else PIXELS):
        lines.append(f"{where}: outline {distance:.0f} px off, {old['quad']} -> {new['quad']}")
    return lines


def _group_differences(before: Compact, after: Compact, places: dict[int, int], exact: bool) -> list[str]:
    def text_of(group: Compact, cards: list[int]) -> str:
        faces = " ".join(after["cards"][card]["face"] for card in cards)
        return f"{group['kind']}, rank {group['rank']}, book {group['book']}, doubt {group['doubt']}: {faces}"

    def is_certain(reading: Compact, group: Compact) -> bool:
        return exact or all(reading["cards"][card]["confidence"] >= UNCERTAIN for card in group["cards"])

    moved = [(group, [places.get(card, -1) for card in group["cards"]]) for group in before["groups"]]
    old = Counter(text_of(g, sorted(cards)) for g, cards in moved if -1 not in cards and is_certain(before, g))
    new = Counter(text_of(g, sorted(g["cards"])) for g in after["groups"] if is_certain(after, g))
    return [f"group {text} -> not there" for text in (old - new)] + [f"group not there -> {text}" for text in new - old]
