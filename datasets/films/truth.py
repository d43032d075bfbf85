"""What a film shows: every group at the end with the second at which each card was first in plain sight, the history of
changes, and the round's score."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from datasets.films.playing.changes import Play
from scorer.rules.library import load_rules
from scorer.scoring import score
from scorer.scoring.melds import check_meld
from scorer.sheets import read_sheet

UNSEEN = "changed-unseen"
"""The doubt of a group with a card that was never in plain sight."""


@dataclass(frozen=True)
class TrueGroup:
    """A group as it lies at the end.

    Attributes:
        group: its number in the history.
        side: whose it is.
        kind: ``meld``, ``pile`` or ``threes``.
        rank: the rank of its naturals; None if there are none.
        book: the kind of book that it is, or None.
        cards: its faces in the order in which they were laid.
        seen: for each, the second at which it was first in plain sight while all lay still; None if it never was.
        doubt: ``changed-unseen`` if any never was.
        glimpsed: whether those that never were have all shown in part or for a moment, so that a reader may know them
            without a doubt, or not.
    """

    group: int
    side: int
    kind: Literal["meld", "pile", "threes"]
    rank: str | None
    book: str | None
    cards: tuple[str, ...]
    seen: tuple[float | None, ...]
    doubt: str | None
    glimpsed: bool


@dataclass(frozen=True)
class TrueChange:
    """One change of a group: the second at which the hand lets go, what happens, which group, and which cards."""

    second: float
    what: str
    group: int
    side: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """The truth of a film.

    Attributes:
        seed: of the film.
        seconds: its length.
        minutes: how long the round took at the table.
        size: width and height of its pictures.
        rules, deck, round: what is played.
        zones: each side's part of the picture as a polygon, ``[[x, y], …]`` in pixels as the film begins.
        groups: as they lie at the end.
        history: in the order of time.
        events: what else happens: second, what (``lamp``, ``bump``, ``cloth``, ``cup``, ``arm``, …), and until when.
        sheet: the round sheet of what lies on the table (and what is left in the hands, which no film need show).
        table_scores: for each side its points from the cards on the table alone.
        scores: for each side its points of the round.
    """

    seed: int
    seconds: float
    minutes: float
    size: tuple[int, int]
    rules: str
    deck: str
    round: int
    zones: tuple[tuple[tuple[float, float], ...], ...]
    groups: tuple[TrueGroup, ...]
    history: tuple[TrueChange, ...]
    events: tuple[tuple[float, str, float], ...]
    sheet: Mapping[str, Any]
    table_scores: tuple[int, ...]
    scores: tuple[int, ...]

    def as_json(self, name: str) -> dict[str, Any]:
        """Returns it as JSON data, close to what ``handfoot watch --json`` prints of a film called ``name``."""
        return {"film": name, **asdict(self)}


def orders(play: Play) -> dict[int, list[int]]:
    """The cards of each group at the end, by group, in the order in which they were laid."""
    made: dict[int, list[int]] = {}
    for change in play.changes:
        if change.group is None:
            continue
        cards = made.setdefault(change.group, [])
        if change.what in ("laid", "added"):
            cards += change.cards
        elif change.what == "taken-back":
            cards[:] = [card for card in cards if card not in change.cards]
    return made


def true_groups(play: Play, seen: Mapping[int, float], glimpsed: Container[int]) -> tuple[TrueGroup, ...]:
    """The groups at the end; ``seen`` and ``glimpsed`` as ``first_seen`` returns them."""
    rules = load_rules(play.rules)
    piles = {change.group for change in play.changes if change.what == "squared"}
    made = []
    for group, cards in orders(play).items():
        faces = tuple(play.faces[card] for card in cards)
        threes = play.groups[group].kind == "threes"
        check = check_meld(faces, rules)
        doubt = None if all(card in seen for card in cards) else UNSEEN
        made.append(
            TrueGroup(
                group,
                play.groups[group].side,
                "threes" if threes else "pile" if group in piles else "meld",
                None if threes else check.rank,
                None if threes else check.book,
                tuple(map(str, faces)),
                tuple(round(seen[card], 2) if card in seen else None for card in cards),
                doubt,
                doubt is not None and all(card in seen or card in glimpsed for card in cards),
            )
        )
    return tuple(made)


def true_history(play: Play) -> tuple[TrueChange, ...]:
    """The changes of groups."""
    return tuple(
        TrueChange(
            round(change.second, 2),
            change.what,
            change.group,
            play.groups[change.group].side,
            tuple(str(play.faces[card]) for card in change.cards),
        )
        for change in play.changes
        if change.group is not None
    )


def sheets(play: Play) -> tuple[dict[str, Any], dict[str, Any]]:
    """The round sheet as it lies on the table, and that of the whole round with what is left and who went out."""
    cards = orders(play)
    sides = sorted(set(play.seats))
    table: list[dict[str, Any]] = []
    for side in sides:
        own = [(group, faces_of(play, cards[group])) for group in cards if play.groups[group].side == side]
        melds = [faces for group, faces in own if play.groups[group].kind == "meld" and faces]
        laid = [face for group, faces in own if play.groups[group].kind == "threes" for face in faces]
        table.append({"name": f"Side {side + 1}", "melds": melds, "laid": laid})
    sheet = {"rules": play.rules, "round": play.round, "players": len(play.seats), "sides": table}
    whole = [
        {
            **one,
            "left": [faces_of(play, cards) for cards in play.left[side]],
            "went_out": play.went_out == side,
        }
        for side, one in zip(sides, table, strict=True)
    ]
    return sheet, {**sheet, "sides": whole}


def faces_of(play: Play, cards: Sequence[int]) -> list[str]:
    """The faces of cards as text."""
    return [str(play.faces[card]) for card in cards]


def totals(sheet: Mapping[str, Any]) -> tuple[int, ...]:
    """Each side's points by the rules."""
    made = read_sheet(sheet)
    return tuple(side.total for side in score(made, load_rules(made.rules)).sides)


def events(play: Play) -> tuple[tuple[float, str, float], ...]:
    """What else happens: second, what, and until when."""
    found: list[tuple[float, str, float]] = [(shift.second, shift.kind, shift.second) for shift in play.shifts]
    found += [(lamp.second, "lamp", lamp.second + lamp.takes) for lamp in play.lamps]
    found += [(cover.begins, cover.kind, cover.ends) for cover in play.covers]
    return tuple(sorted((round(a, 2), what, round(b, 2)) for a, what, b in found))
