"""Reading under the house's rules: an unsure card among others becomes what the rules let it be.

Six 8s and a doubtful 3-or-8 are seven 8s; of a face there are no more copies than the packs hold. Only cards that the
reader itself doubts are changed, each change is marked, and a sure reading that breaks a rule stays and is doubted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from scorer.faces import Face
from vision.arrays import floats
from vision.doubts import MIN_ALTERNATIVE, ODD_PRIOR, Doubt
from vision.geometry import grown, overlap_share
from vision.groups.grouping import group
from vision.groups.relations import TOUCH, PlacedCard
from vision.values import Group, HouseRules, SeenCard


def _taken_for(card: SeenCard, allowed: Set[str]) -> SeenCard | None:
    """The card as the likeliest face of the ``allowed`` ranks, None where it is sure or none of them is plausible."""
    if card.doubt is None:
        return None
    fits = [(share, face) for face, share in card.others if face.rank in allowed and share >= MIN_ALTERNATIVE]
    return _renamed(card, *max(fits, key=lambda fit: fit[0])) if fits else None


def _renamed(card: SeenCard, share: float, face: Face) -> SeenCard:
    """The card under another of its faces, what it was taken for before among its runners-up."""
    others = ((card.face, card.confidence), *(other for other in card.others if other[0] != face))
    confidence = share / (share + ODD_PRIOR * card.confidence)
    ranked = tuple(sorted(others, key=lambda other: -other[1]))
    return replace(card, face=face, confidence=confidence, others=ranked, doubt=Doubt.DECIDED_BY_RULES)


def _among_melds(cards: list[SeenCard], groups: Sequence[Group], house: HouseRules) -> dict[int, SeenCard]:
    """What unsure cards become that lie in or against one meld and are not of it."""
    melds = [found for found in groups if found.kind == "meld" and found.rank]
    alone = [found.cards[0] for found in groups if len(found.cards) == 1 and found.kind in ("single", "threes")]
    wider = [grown(floats(card.quad), TOUCH) for card in cards]
    changed = {}
    for meld in melds:
        allowed = {str(meld.rank), *house.wild_ranks}
        inside = [i for i in meld.cards if cards[i].face.rank not in allowed]
        against = [i for i in alone if any(overlap_share(wider[i], wider[j]) > 0 for j in meld.cards)]
        for i in inside + against:
            # against a meld's end a wild would be a guess: only the meld's own rank is taken
            better = _taken_for(cards[i], allowed if i in inside else {str(meld.rank)})
            if better and i not in changed:
                changed[i] = better
    return changed


def _within_the_packs(cards: list[SeenCard], copies: Mapping[Face, int]) -> dict[int, SeenCard]:
    """What becomes of the least sure cards of a face of which more were read than there are."""
    held: dict[Face, list[int]] = defaultdict(list)
    for i, card in enumerate(cards):
        held[card.face].append(i)
    counts, changed = Counter({face: len(places) for face, places in held.items()}), {}
    for face, places in held.items():
        if face not in copies:
            continue
        for i in sorted(places, key=lambda i: cards[i].confidence)[: max(len(places) - copies[face], 0)]:
            room = [(s, f) for f, s in cards[i].others if s >= MIN_ALTERNATIVE and counts[f] < copies.get(f, 0)]
            if room and cards[i].doubt:
                changed[i] = _renamed(cards[i], *max(room, key=lambda fit: fit[0]))
                counts[changed[i].face] += 1
            else:
                changed[i] = replace(cards[i], doubt=cards[i].doubt or Doubt.TOO_MANY_COPIES)
    return changed


def apply_rule_prior(cards: Sequence[SeenCard], house: HouseRules) -> tuple[list[SeenCard], tuple[Group, ...]]:
    """The cards as they are likeliest under the rules, in the order given, and their groups.

    A card that was changed is doubted with ``decided-by-rules`` and has what it was taken for among its others; one
    too many that cannot be another is doubted with ``too-many-copies``.
    """
    decided = list(cards)

    def grouped() -> tuple[Group, ...]:
        return group([PlacedCard(card.face, floats(card.quad)) for card in decided], house.wild_ranks, house.book_size)

    groups = grouped()
    for changed in (_among_melds(decided, groups, house), _within_the_packs(decided, house.copies)):
        for i, card in changed.items():
            if decided[i].doubt != Doubt.DECIDED_BY_RULES:
                decided[i] = card
    return decided, grouped() if any(a is not b for a, b in zip(cards, decided, strict=True)) else groups
