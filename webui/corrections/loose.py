"""What many loose cards become at a tap: melds by rank, or what a player has left."""

from __future__ import annotations

from collections import defaultdict

from scorer.rules import RuleSet
from scorer.scoring.melds import check_meld
from scorer.sheets import Pile
from webui.corrections.side_table import LAID, LOOSE, SideTable, TableCard, TableGroup, left_id
from webui.storage.changes import NEW_MELD, NEW_PILE, Regroup

_FEWEST = 2
"""So many loose cards of a rank make a meld: a wild may belong to them, or a card that was not read."""


def by_rank(table: SideTable, rules: RuleSet) -> list[Regroup]:
    """The corrections that group a side's loose cards by rank.

    Cards of a rank that has one meld go there, others make a meld of their own, cards that are laid are laid. Wilds
    stay loose, as only people know whose meld they complete, and so do cards that form no meld and one alone of its
    rank.
    """
    loose = table.group(LOOSE)
    cards = loose.cards if loose else ()
    laid = [card.id for card in cards if rules.is_laid(card.face)]
    ranks: defaultdict[str, list[str]] = defaultdict(list)
    for card in cards:
        face = card.face
        if not (rules.is_laid(face) or rules.is_wild(face) or rules.is_cap(face) or rules.is_never_melded(face)):
            ranks[face.rank].append(card.id)
    found = [_regroup(laid, LAID)] if laid else []
    for rank, ids in ranks.items():
        melds = [group.id for group in table.groups if group.kind == "meld" and group.rank == rank]
        if len(melds) == 1 or len(ids) >= _FEWEST:
            found.append(_regroup(ids, melds[0] if len(melds) == 1 else NEW_MELD))
    return found


def all_left(table: SideTable, player: int) -> list[Regroup]:
    """The correction that makes all loose cards a player's left-over cards; none where there are no loose cards."""
    loose = table.group(LOOSE)
    return [_regroup([card.id for card in loose.cards], left_id(player))] if loose and loose.cards else []


def places_for(table: SideTable, card: TableCard, rules: RuleSet, players: int) -> list[TableGroup]:
    """Where a loose card most likely belongs, by these rules: laid, on a book that it caps, to a meld of its rank, on a
    pile, in a hand.

    A place that is not on the table yet is a group without cards.
    """
    face = card.face
    hands = [TableGroup(left_id(player), "left", (), player) for player in range(players)]
    if rules.is_laid(face):
        return [TableGroup(LAID, "laid", ()), *hands]
    if rules.is_cap(face):
        return [*(group for group in table.groups if _takes_cap(group, rules)), *hands]
    if rules.is_never_melded(face):
        return hands
    melds = [one for one in table.groups if one.kind in ("meld", "pile") and one.rank == face.rank and one.cards]
    return [*melds, TableGroup(NEW_PILE, "pile", ()), *hands]


def _takes_cap(group: TableGroup, rules: RuleSet) -> bool:
    """Whether one more card may cap a group: it is a book of a kind that caps go on."""
    if rules.cap is None or group.kind not in ("meld", "pile") or not group.cards:
        return False
    caps, wilds = tuple(group.caps), tuple(group.wilds)
    piled = Pile(rank=group.rank, cards=group.count - len(caps) - len(group.others), wilds=wilds, caps=caps)
    meld = piled if group.kind == "pile" else tuple(card.face for card in group.cards)
    check = check_meld(meld, rules)
    return check.book in rules.cap.books and len(check.caps) < rules.cap.most


def _regroup(cards: list[str], group: str) -> Regroup:
    return Regroup(cards=tuple(cards), group=group, keep_doubts=True)
