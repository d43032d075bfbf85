"""What happened on a watched table in words: ``7♠ to the 7s``, ``7s closed``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scorer.faces import Face
from scorer.rules import RuleSet
from vision.memory.state import TableChange, TableState
from vision.values import HouseRules
from webui import wording
from webui.translation import _
from webui.watching.film import Film, Shot


@dataclass(frozen=True, slots=True)
class ChangeInWords:
    """One change for people: its picture, the side whose part of the table it is in (None: unknown), and a sentence."""

    shot: Shot
    side: int | None
    sentence: str


def changes_in_words(film: Film, rules: RuleSet, house: HouseRules) -> list[ChangeInWords]:
    """All changes of a film, in the order of time, and the table as it lay at the end."""
    state = film.remembered(house).state
    sides = {number: stack.side for number, stack in state.stacks.items()}
    changes = [
        ChangeInWords(shot, sides.get(change.group, change.side), _sentence(change, state, rules))
        for change, shot in zip(state.history, film.shots, strict=False)
    ]
    return [*changes, *([ChangeInWords(film.last, None, _("The table as it was seen last"))] if film.last else [])]


def _sentence(change: TableChange, state: TableState, rules: RuleSet) -> str:
    cards = " ".join(wording.short_name(Face.parse(name)) for name in change.cards)
    group = _group(change, state, rules)
    match change.what:
        case "laid":
            return _("%(cards)s laid", cards=cards)
        case "added":
            return _("%(cards)s to the %(group)s", cards=cards, group=group)
        case "squared":
            return _("%(group)s closed", group=group)
        case "moved":
            return _("%(group)s moved aside", group=group)
    return _("%(cards)s taken back", cards=cards)


def _group(change: TableChange, state: TableState, rules: RuleSet) -> str:
    """A group by its rank: ``7s``, ``wilds``."""
    stack = state.stacks.get(change.group)
    faces = [state.tracks[number].face for number in stack.tracks if number in state.tracks] if stack else []
    faces = faces or [Face.parse(name) for name in change.cards]
    ranks = Counter(face.rank for face in faces if not rules.is_wild(face))
    return rules.cards.plural(ranks.most_common(1)[0][0]) if ranks else _("wilds")
