"""Counts of squared piles from a form: the number of cards, and of each wild rank among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from scorer.faces import Face
from webui.corrections.side_table import TableGroup
from webui.rounds.round_view import RoundView
from webui.storage.changes import Count

_MAX_CARDS = 60


def read_pile(form: Mapping[str, str], view: RoundView, group: str, rank: str, prefix: str = "") -> Count | None:
    """Reads the count of a pile.

    Args:
        form: the submitted fields: ``cards``, and ``wild-`` with each wild rank.
        view: the round.
        group: the id of the pile.
        rank: its rank.
        prefix: what the names of the fields begin with.

    Returns:
        The correction, None where no pile can have such a count.
    """
    cards = _number(form, f"{prefix}cards")
    wilds: list[str] = []
    for wild in view.rules.wild_ranks:
        number = min(_MAX_CARDS, max(0, _number(form, f"{prefix}wild-{wild}")))
        faces = [str(face) for face in view.deck.faces if face.rank == wild]
        # The suits in a pile are invisible and no rule needs them; taking turns keeps each within its number of copies.
        wilds += [faces[turn % len(faces)] for turn in range(number)]
    fewest = max(1, len(wilds) + (rank not in view.rules.wild_ranks))
    if rank not in view.deck.ranks or not fewest <= cards <= _MAX_CARDS:
        return None
    return Count(group=group, rank=rank, cards=cards, wilds=tuple(wilds))


def pile_error(form: Mapping[str, str], prefix: str = "") -> str:
    """The sentence for a count that ``read_pile`` rejects."""
    cards = _number(form, f"{prefix}cards")
    return (
        f"A pile of {cards} cards cannot hold those wilds and a natural card; "
        "count the pile again, all cards together and the wilds among them."
    )


def is_unchanged(count: Count, pile: TableGroup) -> bool:
    """Whether a count equals the pile as it is, whatever the suits of its wilds."""
    ranks = Counter(Face.parse(wild).rank for wild in count.wilds)
    return count.cards == pile.count and ranks == Counter(face.rank for face in pile.wilds)


def _number(form: Mapping[str, str], field: str) -> int:
    """The number in a field of the form, 0 where there is none."""
    try:
        return int(form.get(field, "0"))
    except ValueError:
        return 0
