"""Parses stored readings."""

from __future__ import annotations

from typing import Any, cast

from scorer.faces import Face
from vision.values import Group, PhotoWarning, Quad, Reading, SeenCard


def parse_reading(document: dict[str, Any]) -> Reading:
    """The reading that ``Reading.as_json`` wrote; single detections are not stored."""
    return Reading(
        width=document["width"],
        height=document["height"],
        seconds=document["seconds"],
        cards=tuple(
            SeenCard(
                face=Face.parse(card["face"]),
                confidence=card["confidence"],
                others=tuple((Face.parse(face), score) for face, score in card["others"]),
                quad=cast(Quad, tuple((x, y) for x, y in card["quad"])),
                doubt=card["doubt"],
            )
            for card in document["cards"]
        ),
        groups=tuple(
            Group(
                cards=tuple(group["cards"]),
                kind=group["kind"],
                rank=group["rank"],
                book=group["book"],
                doubt=group["doubt"],
                reason=group["reason"],
            )
            for group in document["groups"]
        ),
        warnings=tuple(PhotoWarning(notice["code"], notice["message"]) for notice in document["warnings"]),
    )
