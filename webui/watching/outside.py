"""What lies outside all boxes when watching ends, in groups about which people are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from vision.arrays import floats
from vision.doubts import Doubt
from vision.groups.rule_prior import group_cards
from vision.memory.state import SHOWN
from vision.memory.zones import zone_of
from vision.values import HouseRules, SeenCard
from webui.storage.changes import WatchedCard, WatchedGroup
from webui.watching.film import Film, Outline

MOST_OTHERS = 6
"""Other faces of a watched card at most."""


def outside_groups(cards: Sequence[SeenCard], first: int, house: HouseRules) -> list[WatchedGroup]:
    """The groups that cards outside all boxes form; ``first`` is the number of the first of them in the film."""
    groups = []
    for found in group_cards(cards, house):
        kind: Literal["meld", "threes", "loose"] = "loose"
        if found.kind in ("meld", "threes"):
            kind = "meld" if found.kind == "meld" else "threes"
        seen = tuple(_card(cards[index], first + index) for index in found.cards)
        doubt = found.doubt if kind == "meld" and found.doubt == Doubt.ODD_ONE_OUT else None
        groups.append(WatchedGroup(kind=kind, rank=found.rank if kind == "meld" else None, doubt=doubt, cards=seen))
    return groups


def side_of(film: Film, group: WatchedGroup) -> int | None:
    """The side in whose box such a group lies now, since boxes may be drawn anew; None outside all of them."""
    shot, outline = film.cards[str(group.cards[0].track)]
    size = film.pictures[shot].size
    return zone_of(floats(outline) / floats(size), film.boxes_now or ())


def lying_now(film: Film, house: HouseRules, side: int) -> list[Outline]:
    """The outlines of a side's cards that show at the end, in pixels of the film's last picture."""
    if film.last is None or not film.size:
        return []
    scale, state = film.last.size[0] / film.size[0], film.remembered(house).state
    own = [track for stack in state.stacks.values() if stack.side == side for track in state.cards_of(stack)]
    return [[[x * scale, y * scale] for x, y in track.quad] for track in own if track.place == SHOWN]


def _card(card: SeenCard, track: int) -> WatchedCard:
    others = [(str(face), round(share, 4)) for face, share in card.others]
    return WatchedCard(face=str(card.face), track=track, doubt=card.doubt, others=tuple(others[:MOST_OTHERS]))
