"""Corrects doubtful cards by the house rules.

Six 8s and a doubtful 3-or-8 among them are seven 8s; there are no more copies of a face than the packs hold. Only cards
whose face is in doubt get another one, and any card the suit of a run that it lies in; each change is marked. A certain
reading that breaks a rule stays and gets a doubt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from scorer.faces import Face
from vision.arrays import floats
from vision.doubts import MIN_ALTERNATIVE, ODD_PRIOR, Doubt, is_sure_of_face
from vision.geometry import expanded, overlap_share
from vision.groups.faces_in_play import in_play
from vision.groups.grouping import group
from vision.groups.relations import TOUCH, PlacedCard
from vision.values import Group, HouseRules, SeenCard


def apply_rule_prior(cards: Sequence[SeenCard], house_rules: HouseRules) -> tuple[list[SeenCard], tuple[Group, ...]]:
    """Corrects cards by the rules and groups them.

    Returns:
        The cards in their order, and their groups. A corrected card has the doubt ``DECIDED_BY_RULES`` (``SUIT_UNSURE``
        if its rank was sure), and its former face among its others; a surplus copy that cannot be another face has
        ``TOO_MANY_COPIES``; one that is no face of the decks in play has ``UNKNOWN_FACE``.
    """
    cards = in_play(cards, house_rules.faces)
    corrected = list(cards)
    groups = group_cards(corrected, house_rules)
    by_melds = _corrections_by_melds(corrected, groups, house_rules)
    by_runs = _corrections_by_runs(corrected, groups, house_rules)
    by_copies = _corrections_by_copies(corrected, house_rules.copies)
    for changes in (by_melds, by_runs, by_copies):
        for i, card in changes.items():
            if corrected[i] is cards[i] and cards[i].doubt != Doubt.DECIDED_BY_RULES:
                corrected[i] = card
    unchanged = all(a is b for a, b in zip(cards, corrected, strict=True))
    return corrected, groups if unchanged else group_cards(corrected, house_rules)


def group_cards(cards: Sequence[SeenCard], house_rules: HouseRules) -> tuple[Group, ...]:
    """Groups cards under the rules and changes none of them."""
    placed = [PlacedCard(card.face, floats(card.quad)) for card in cards]
    return group(placed, house_rules)


def _corrections_by_melds(
    cards: list[SeenCard], groups: Sequence[Group], house_rules: HouseRules
) -> dict[int, SeenCard]:
    """New cards by index, for cards of a doubtful face that lie in a meld or touch it and do not have its rank."""
    melds = [found for found in groups if found.kind == "meld" and found.rank]
    alone = [found.cards[0] for found in groups if len(found.cards) == 1 and found.kind in ("single", "threes")]
    wider = [expanded(floats(card.quad), TOUCH) for card in cards]
    changes = {}
    for meld in melds:
        allowed = {str(meld.rank), *house_rules.wild_ranks}
        inside = [i for i in meld.cards if cards[i].face.rank not in allowed | house_rules.caps]
        touching = [i for i in alone if any(overlap_share(wider[i], wider[j]) > 0 for j in meld.cards)]
        for i in inside + touching:
            # for a card that only touches the meld a wild would be a guess
            better = _best_allowed(cards[i], allowed if i in inside else {str(meld.rank)})
            if better and i not in changes:
                changes[i] = better
    return changes


def _corrections_by_runs(
    cards: list[SeenCard], groups: Sequence[Group], house_rules: HouseRules
) -> dict[int, SeenCard]:
    """New cards by index, for cards that lie together and would be a run if all had a suit that each of them may have.

    A suit is never certain, and two of one colour are easily taken for each other; most of the cards have that suit.
    """
    changes: dict[int, SeenCard] = {}
    if not house_rules.runs:
        return changes
    for held in (found.cards for found in groups if found.kind == "hand"):
        suit, count = Counter(cards[i].face.suit for i in held).most_common(1)[0]
        wanted = [_in_suit(cards[i], suit, house_rules) for i in held] if suit and 2 * count > len(held) else []
        read_so = [card for card in wanted if card]
        if len(read_so) == len(held) and [found.kind for found in group_cards(read_so, house_rules)] == ["run"]:
            changes |= {i: card for i, card in zip(held, read_so, strict=True) if card is not cards[i]}
    return changes


def _in_suit(card: SeenCard, suit: str, house_rules: HouseRules) -> SeenCard | None:
    """The card in a suit if it may have that, itself if it has it or is wild, None if neither."""
    face = card.face
    if face.suit == suit or face.rank in house_rules.wild_ranks:
        return card
    share = dict(card.others).get(Face(face.rank, suit), 0.0)
    return _renamed(card, share, Face(face.rank, suit)) if share >= MIN_ALTERNATIVE else None


def _corrections_by_copies(cards: list[SeenCard], copies: Mapping[Face, int]) -> dict[int, SeenCard]:
    """New cards by index, for the least confident cards of a face of which more were read than the packs hold."""
    indices: dict[Face, list[int]] = defaultdict(list)
    for i, card in enumerate(cards):
        indices[card.face].append(i)
    counts, changes = Counter({face: len(held) for face, held in indices.items()}), {}
    for face, held in indices.items():
        if face not in copies:
            continue
        for i in sorted(held, key=lambda i: cards[i].confidence)[: max(len(held) - copies[face], 0)]:
            available = [
                (share, other)
                for other, share in cards[i].others
                if share >= MIN_ALTERNATIVE and counts[other] < copies.get(other, 0)
            ]
            if available and not is_sure_of_face(cards[i].doubt):
                changes[i] = _renamed(cards[i], *max(available, key=lambda option: option[0]))
                counts[changes[i].face] += 1
            else:
                changes[i] = replace(cards[i], doubt=cards[i].doubt or Doubt.TOO_MANY_COPIES)
    return changes


def _best_allowed(card: SeenCard, ranks: Set[str]) -> SeenCard | None:
    """The card as its likeliest face of the given ranks; None where its face is certain or none of them is likely."""
    if is_sure_of_face(card.doubt) or card.doubt == Doubt.UNKNOWN_FACE:
        return None
    options = [(share, face) for face, share in card.others if face.rank in ranks and share >= MIN_ALTERNATIVE]
    return _renamed(card, *max(options, key=lambda option: option[0])) if options else None


def _renamed(card: SeenCard, share: float, face: Face) -> SeenCard:
    """The card with another of its faces, of probability ``share``; its former face joins its others."""
    others = ((card.face, card.confidence), *(other for other in card.others if other[0] != face))
    confidence = share / (share + ODD_PRIOR * card.confidence)
    ranked = tuple(sorted(others, key=lambda other: -other[1]))
    if face.rank == card.face.rank and is_sure_of_face(card.doubt):
        doubt = card.doubt if card.doubt == Doubt.PERHAPS_ANOTHER else Doubt.SUIT_UNSURE
        return replace(card, face=face, others=ranked, doubt=doubt)
    return replace(card, face=face, confidence=confidence, others=ranked, doubt=Doubt.DECIDED_BY_RULES)
