"""A table that was watched: its groups, in which all cards are known, those of a pile too."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.faces import Face
from scorer.rules import RuleSet
from webui.corrections.piles import Group
from webui.corrections.side_table import LAID, LOOSE, TableCard
from webui.storage.changes import Watched, WatchedGroup


def watched_cards(correction_id: int, change: Watched) -> list[str]:
    """The ids of the cards of a watched table, group by group."""
    return [f"a{correction_id}.{place}" for place in range(sum(len(group.cards) for group in change.groups))]


def lay_seen(
    name: str, groups: Sequence[WatchedGroup], rules: RuleSet, group_name: str | None = None
) -> tuple[dict[str, TableCard], list[Group]]:
    """The cards of a table that was seen by their ids, and its groups; threes and loose cards go to what is there
    already.

    Args:
        name: what the ids of cards begin with, those of groups too without a ``group_name``.
        groups: what was seen.
        rules: which threes are laid.
        group_name: what the ids of groups begin with.
    """
    cards: dict[str, TableCard] = {}
    made = []
    for number, seen in enumerate(groups):
        group = Group(
            f"{group_name or name}.{number}", "meld", rank=seen.rank, doubt=seen.doubt, reason="seen being laid"
        )
        for card in seen.cards:
            id = f"{name}.{len(cards)}"
            face, others = Face.parse(card.face), tuple((Face.parse(name), share) for name, share in card.others)
            cards[id] = TableCard(
                id,
                face,
                face,
                others=others,
                doubt=card.doubt,
                track=card.track,
                hidden=card.hidden,
                guessed=card.guessed,
            )
            if seen.kind == "threes":
                made.append(Group(LAID if rules.is_laid(face) else LOOSE, "laid", [id]))
            elif seen.kind == "loose":
                made.append(Group(LOOSE, "loose", [id]))
            else:
                group.cards.append(id)
        made += [group] if group.cards else []
    return cards, made
