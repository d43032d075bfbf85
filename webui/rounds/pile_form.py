"""Squared piles in forms: how many cards, and how many of each wild."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from scorer.faces import Face
from webui.corrections.changes import Count
from webui.corrections.side_table import TableGroup
from webui.rounds.round_view import RoundView

_MOST = 60


def read_pile(form: Mapping[str, str], view: RoundView, group: str, rank: str, prefix: str = "") -> Count | None:
    """The count of a pile as a form has it, its fields' names after a prefix; None where no pile can be so."""
    cards = _number(form, f"{prefix}cards")
    wilds: list[str] = []
    for wild in view.rules.wild_ranks:
        number = min(_MOST, max(0, _number(form, f"{prefix}wild-{wild}")))
        faces = [str(face) for face in view.deck.faces if face.rank == wild]
        # Nobody sees which suits lie in a pile, and no rule asks; in turn, so that none seems to be there too often.
        wilds += [faces[turn % len(faces)] for turn in range(number)]
    fewest = max(1, len(wilds) + (rank not in view.rules.wild_ranks))
    if rank not in view.deck.ranks or not fewest <= cards <= _MOST:
        return None
    return Count(group=group, rank=rank, cards=cards, wilds=tuple(wilds))


def pile_error(form: Mapping[str, str], prefix: str = "") -> str:
    """Why a pile cannot be so, in a sentence."""
    cards = _number(form, f"{prefix}cards")
    return (
        f"A pile of {cards} cards cannot hold those wilds and a natural card; "
        "count the pile again, all cards together and the wilds among them."
    )


def is_unchanged(count: Count, pile: TableGroup) -> bool:
    """Whether a count leaves a pile as it stands; the suits of its wilds say nothing."""
    ranks = Counter(Face.parse(wild).rank for wild in count.wilds)
    return count.cards == pile.count and ranks == Counter(face.rank for face in pile.wilds)


def _number(form: Mapping[str, str], field: str) -> int:
    """The number in a field of the form; 0 if there is none."""
    try:
        return int(form.get(field, "0"))
    except ValueError:
        return 0
