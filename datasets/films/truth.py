"""What a film shows: every group at the end, the history of changes, and the points on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from datasets.films.playing.changes import Play
from scorer.rules.library import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet

TrueKind = Literal["meld", "pile", "threes"]


@dataclass(frozen=True)
class TrueGroup:
    """A group as it lies at the end.

    Attributes:
        group: its number in the history.
        side: whose it is.
        kind: ``meld``, ``pile`` or ``threes``.
        cards: its faces in the order in which they were laid.
    """

    group: int
    side: int
    kind: TrueKind
    cards: tuple[str, ...]


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
        rules, deck: what is played.
        zones: each side's part of the picture as a polygon, ``[[x, y], …]`` in pixels as the film begins.
        groups: as they lie at the end.
        history: in the order of time.
        sheet: the round sheet of what lies on the table.
        table_scores: for each side its points from the cards on the table.
    """

    seed: int
    seconds: float
    rules: str
    deck: str
    zones: tuple[tuple[tuple[float, float], ...], ...]
    groups: tuple[TrueGroup, ...]
    history: tuple[TrueChange, ...]
    sheet: Mapping[str, Any]
    table_scores: tuple[int, ...]


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


def true_groups(play: Play) -> tuple[TrueGroup, ...]:
    """The groups at the end."""
    piles = {change.group for change in play.changes if change.what == "squared"}
    made = []
    for number, cards in orders(play).items():
        group = play.groups[number]
        kind: TrueKind = "threes" if group.kind == "threes" else "pile" if number in piles else "meld"
        made.append(TrueGroup(number, group.side, kind, tuple(faces_of(play, cards))))
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


def table_sheet(play: Play) -> dict[str, Any]:
    """The round sheet as it lies on the table."""
    cards = orders(play)
    table: list[dict[str, Any]] = []
    for side in sorted(set(play.seats)):
        own = [(group, faces_of(play, cards[group])) for group in cards if play.groups[group].side == side]
        melds = [faces for group, faces in own if play.groups[group].kind == "meld" and faces]
        laid = [face for group, faces in own if play.groups[group].kind == "threes" for face in faces]
        table.append({"name": f"Side {side + 1}", "melds": melds, "laid": laid})
    return {"rules": play.rules, "round": play.round, "players": len(play.seats), "sides": table}


def faces_of(play: Play, cards: Sequence[int]) -> list[str]:
    """The faces of cards as text."""
    return [str(play.faces[card]) for card in cards]


def totals(sheet: Mapping[str, Any]) -> tuple[int, ...]:
    """Each side's points by the rules."""
    made = read_sheet(sheet)
    return tuple(side.total for side in score(made, load_rules(made.rules)).sides)
