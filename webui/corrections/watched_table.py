"""A table that was watched: its groups, in which all cards are known, those of a pile too."""

from __future__ import annotations

from scorer.faces import Face
from scorer.rules import RuleSet
from webui.corrections.piles import Group
from webui.corrections.side_table import LAID, LOOSE, TableCard
from webui.storage.changes import Watched


def watched_cards(correction_id: int, change: Watched) -> list[str]:
    """The ids of the cards of a watched table, group by group."""
    return [f"a{correction_id}.{place}" for place in range(sum(len(group.cards) for group in change.groups))]


def lay_watched(correction_id: int, change: Watched, rules: RuleSet) -> tuple[dict[str, TableCard], list[Group]]:
    """The cards of a watched table by their ids, and its groups; threes go to those that are there already."""
    ids = iter(watched_cards(correction_id, change))
    cards: dict[str, TableCard] = {}
    groups = []
    for number, seen in enumerate(change.groups):
        group = Group(f"n{correction_id}.{number}", "meld", rank=seen.rank, doubt=seen.doubt, reason="seen being laid")
        for card, id in zip(seen.cards, ids, strict=False):
            face, others = Face.parse(card.face), tuple((Face.parse(name), share) for name, share in card.others)
            cards[id] = TableCard(id, face, face, others=others, doubt=card.doubt, track=card.track, hidden=card.hidden)
            if seen.kind == "threes":
                groups.append(Group(LAID if rules.is_laid(face) else LOOSE, "laid", [id]))
            else:
                group.cards.append(id)
        groups += [group] if group.cards else []
    return cards, groups
