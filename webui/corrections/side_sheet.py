"""Writes a round sheet from the sides' cards and the facts that no camera sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision.doubts import Doubt
from webui.corrections.side_table import SideTable, TableGroup
from webui.storage.side_facts import SideFacts


@dataclass(frozen=True, slots=True)
class SideDocument:
    """One side of a round sheet, and the path of each group of cards in it (``melds[2]``, ``laid``, ``left[0]``)."""

    document: dict[str, Any]
    where: Mapping[str, str]


def side_sheet(name: str, table: SideTable, players: int, facts: SideFacts) -> SideDocument:
    """Writes one side of a round sheet. Loose cards, which are in no meld, are left out, and so are unknown ones and
    piles that nobody has counted.

    Args:
        name: the side's name.
        table: its cards.
        players: its number of players, each with a list of left-over cards.
        facts: what no camera sees; what people typed counts in place of all cards.
    """
    if facts.typed is not None:
        return SideDocument({**_document(name, facts, players), "typed": facts.typed.as_told()}, {})
    melds: list[Any] = []
    laid: list[str] = []
    buried: list[str] = []
    left: list[list[str]] = [[] for _ in range(players)]
    where: dict[str, str] = {}
    for group in table.groups:
        faces = [str(card.face) for card in group.cards if card.doubt != Doubt.UNKNOWN_FACE]
        if group.cards and not faces and not (group.kind == "pile" and group.rank):
            continue
        if group.is_uncounted:
            continue
        if group.kind in ("meld", "pile"):
            where[group.id] = f"melds[{len(melds)}]"
            melds.append(_meld(group, faces))
        elif group.kind == "laid":
            where[group.id] = "laid"
            laid += faces
        elif group.kind == "buried":
            where[group.id] = "buried"
            buried += faces
        elif group.kind == "left" and group.player is not None and group.player < players:
            where[group.id] = f"left[{group.player}]"
            left[group.player] += faces
    document = {**_document(name, facts, players), "melds": melds, "laid": laid, "buried": buried, "left": left}
    return SideDocument(document, where)


def _document(name: str, facts: SideFacts, players: int) -> dict[str, Any]:
    """One side of a round sheet without cards."""
    document: dict[str, Any] = {
        "name": name,
        "melds": [],
        "laid": [],
        "buried": [],
        "left": [[] for _ in range(players)],
        "went_out": facts.went_out,
        "exact_deals": facts.exact_deals,
        "improper_melds": facts.improper_melds,
    }
    if told := {name: times for name, times in facts.bonuses.items() if times}:
        document["bonuses"] = told
    return document


def round_sheet(rules: str, number: int, players: int, sides: Sequence[SideDocument]) -> dict[str, Any]:
    """The round sheet, as ``scorer.sheets.read_sheet`` takes it."""
    return {"rules": rules, "round": number, "players": players, "sides": [side.document for side in sides]}


def with_agreed_piles(table: SideTable, agreed: Mapping[str, Any]) -> SideTable:
    """A side's table in which piles count that nobody counted, but that everyone agreed to as they are.

    Until they had to be counted, a pile was scored as it is assumed to be; such rounds keep their points.

    Args:
        table: the side's cards.
        agreed: the side in the sheet that was agreed to.
    """
    melds = list(agreed.get("melds", ()))
    groups = []
    for group in table.groups:
        if group.is_uncounted and (meld := _meld(group, [str(card.face) for card in group.cards])) in melds:
            melds.remove(meld)
            group = replace(group, doubt=None)
        groups.append(group)
    return replace(table, groups=tuple(groups))


def _meld(group: TableGroup, faces: list[str]) -> dict[str, Any] | list[str]:
    """A meld as the sheet has it: of a pile the cards are naturals and wilds; a key without cards is left out."""
    if group.kind != "pile" or not group.rank:
        return faces
    beside = {"caps": group.caps, "others": group.others}
    return {
        "rank": group.rank,
        "cards": group.count - len(group.caps) - len(group.others),
        "wilds": [str(wild) for wild in group.wilds],
        **{key: [str(face) for face in faces] for key, faces in beside.items() if faces},
    }
