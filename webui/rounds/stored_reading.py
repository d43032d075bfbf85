"""Readings as they are stored: the reader's JSON document, and with each card the boxes of its printed indices."""

from __future__ import annotations

from typing import Any, cast

from scorer.faces import Face
from vision.values import CornerReading, Group, PhotoWarning, Quad, Reading, SeenCard


def reading_document(reading: Reading) -> dict[str, Any]:
    """A reading as it is stored; ``parse_reading`` reads it again."""
    document = reading.as_json()
    for stored, card in zip(document["cards"], reading.cards, strict=True):
        stored["indices"] = [[round(at, 1) for at in corner.box] for corner in card.corners]
    return document


def parse_reading(document: dict[str, Any]) -> Reading:
    """A stored reading as a value again. Of single detections only the boxes are stored, by older versions not even
    these."""
    return Reading(
        width=document["width"],
        height=document["height"],
        seconds=document["seconds"],
        cards=tuple(
            SeenCard(
                face=Face.parse(card["face"]),
                confidence=card["confidence"],
                others=tuple((Face.parse(face), score) for face, score in card["others"]),
                quad=quad,
                doubt=card["doubt"],
                corners=tuple(CornerReading((), (a, b, c, d), quad, 1) for a, b, c, d in card.get("indices", ())),
            )
            for card in document["cards"]
            for quad in [cast(Quad, tuple((x, y) for x, y in card["quad"]))]
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
