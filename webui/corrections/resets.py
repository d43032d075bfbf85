"""Which corrections are in force: a reset takes back those of one step of a side and leaves the other as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from webui.corrections.as_seen import watched_cards
from webui.corrections.side_table import SideTable
from webui.storage.changes import (
    Accept,
    Add,
    AddCards,
    Change,
    Count,
    Join,
    Move,
    Name,
    Regroup,
    Remove,
    Reset,
    ResetStep,
    SetAside,
    Spread,
    Watched,
)

_SEEN_CARD = re.compile(r"p(\d+)c\d+")
_FOUND_CARD = re.compile(r"o\d+\.\d+")
_LEFT_GROUP = re.compile(r"left\d+")


def in_force(changes: Iterable[tuple[int, Change]], photos: Mapping[int, int | None]) -> list[tuple[int, Change]]:
    """The corrections that no later reset takes back, with their ids, in order; resets themselves are left out.

    A card that was moved from one step to the other goes back where it was, whichever of the two is reset. Of several
    watched tables the last one is in force, unless it was set aside.

    Args:
        changes: all corrections of a side with their ids, in order.
        photos: the player whose left-over cards each photo shows, None for the table, by the photo's id.
    """
    added: dict[str, ResetStep] = {}
    kept: list[tuple[int, Change]] = []
    for correction_id, change in changes:
        if isinstance(change, Reset):
            step = change.step
            kept = [made for made in kept if step is not None and step not in _steps(made[1], photos, added)]
            continue
        if isinstance(change, Watched | SetAside):
            kept = [made for made in kept if not isinstance(made[1], Watched)]
        if isinstance(change, SetAside):
            continue
        if isinstance(change, Watched):
            added |= dict.fromkeys(watched_cards(correction_id, change), "table")
        if isinstance(change, Add):
            added[f"a{correction_id}"] = _step_of_group(change.group)
        if isinstance(change, AddCards):
            added |= {f"a{correction_id}.{place}": _step_of_group(change.group) for place in range(len(change.faces))}
        kept.append((correction_id, change))
    return kept


def takes_back(
    changes: Sequence[tuple[int, Change]], photos: Mapping[int, int | None], table: SideTable, step: ResetStep
) -> bool:
    """Whether a reset of a step would change what its cards are or where they lie; an answered doubt does not count.

    Args:
        changes, photos: as of ``in_force``.
        table: the side's cards as they stand.
        step: the step.
    """
    stays = in_force([*changes, (0, Reset(step=step))], photos)
    gone = (change for number, change in in_force(changes, photos) if (number, change) not in stays)
    return not all(isinstance(change, Accept) or _is_as_seen(change, table) for change in gone)


def _is_as_seen(change: Change, table: SideTable) -> bool:
    card = table.card(change.card) if isinstance(change, Name) else None
    return card is not None and card.face == card.seen_as


def _steps(change: Change, photos: Mapping[int, int | None], added: Mapping[str, ResetStep]) -> set[ResetStep]:
    """The steps whose cards a correction changes. A correction of a card that is not there any more changes none."""
    match change:
        case Name(card=card) | Remove(card=card):
            return _steps_of_cards([card], photos, added)
        case Move(card=card, group=group):
            return _steps_of_cards([card], photos, added) | {_step_of_group(group)}
        case Regroup(cards=cards, group=group):
            return _steps_of_cards(cards, photos, added) | {_step_of_group(group)}
        case Join(group=group, into=into):
            return {_step_of_group(group), _step_of_group(into)}
        case Add(group=group) | AddCards(group=group) | Count(group=group) | Spread(group=group) | Accept(group=group):
            return {_step_of_group(group)}
    return set()  # a removed photo stays removed, and a watched table is what the camera saw


def _steps_of_cards(
    cards: Iterable[str], photos: Mapping[int, int | None], added: Mapping[str, ResetStep]
) -> set[ResetStep]:
    steps: set[ResetStep] = set()
    for card in cards:
        seen = _SEEN_CARD.fullmatch(card)
        if seen and int(seen[1]) in photos:
            steps.add("table" if photos[int(seen[1])] is None else "left")
        elif card in added:
            steps.add(added[card])
        elif _FOUND_CARD.fullmatch(card):
            steps.add("table")
    return steps


def _step_of_group(group: str) -> ResetStep:
    return "left" if _LEFT_GROUP.fullmatch(group) else "table"
