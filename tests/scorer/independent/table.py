"""What the pages say of the table: who may play, with how many packs, and from how many points one comes in."""

from __future__ import annotations

from itertools import pairwise

from tests.scorer.independent.paper import REMASTERED, SUITLESS_TOO, Json, is_suitless, rank_of, spread

Split = tuple[int, ...]


def seats(rules: str, players: int, round: int) -> list[Split] | None:
    """The ways in which a page seats players, as sizes of sides; none if it does not; None for any split."""
    if rules == "hand-n-foot":
        fifth = (3, 2) if round in (1, 4) or round > 4 else (2, 3)
        known: dict[int, list[Split]] = {2: [(1, 1)], 3: [(1, 1, 1)], 4: [(2, 2)], 5: [fifth], 6: [(3, 3)]}
        return known.get(players, [])
    if rules in ("cutting-22", "chan-canasta", "grandma-sue", "roth-family", "three-and-three"):
        return None if players >= 2 else []
    if rules == "red-and-black-books":
        return None if players >= 3 else []
    pairs: dict[int, list[Split]] = {4: [(2, 2)], 6: [(3, 3), (2, 2, 2)]}
    if rules == "tanglewood":
        return [(4, 4), (2, 2, 2, 2)] if players == 8 else pairs.get(players, [])
    if rules == "vegas":
        return pairs.get(players, [])
    if rules == "hand-knee-and-foot":
        return [(1, 1, 1)] if players == 3 else pairs.get(players, [])[:1]
    if rules == "tour-of-lakes":
        return [(1,) * players] if players in (3, 5) else pairs.get(players, [])
    if rules in ("canasta-to-7500", "burraco"):
        return [(1, 1)] if players == 2 else [(2, 2)] if players == 4 else []
    others: dict[str, Split] = {"canasta-for-two": (1, 1), "pennies-from-heaven": (3, 3), "trinasta": (1, 1, 1)}
    single = others.get(rules, (2, 2))
    return [single] if players == sum(single) else []


def packs(rules: str, players: int) -> int:
    if rules in ("cutting-22", "grandma-sue", "red-and-black-books", "three-and-three"):
        return players + 1
    if rules in ("tanglewood", "roth-family", "chan-canasta"):
        return players
    if rules in ("golden-games", "scoring-guide"):
        return 5
    if rules == "vegas":
        return 8 if players > 5 else 6
    if rules == "hand-knee-and-foot":
        return 6 if players in (4, 5) else 7
    if rules == "tour-of-lakes":
        return 5 if players > 5 else 4
    if rules in ("tournament-play", "good-sams-florida", "pennies-from-heaven", "pierson-canasta"):
        return 4
    return {"trinasta": 3, "samba": 3, "bolivia": 3, "hand-n-foot": 1}.get(rules, 2)


def to_come_in(rules: str, round: int, total: int) -> int:
    """The points of a side's first melds."""
    if rules in ("golden-games", "three-and-three", "tour-of-lakes"):
        return (60, 90, 120, 150)[min(round, 4) - 1]
    if rules == "tournament-play":
        return 50 if round % 2 else 120
    if rules == "cutting-22":
        return 50 + 20 * (round - 1)
    if rules == "good-sams-florida":
        return (90, 120, 150)[min(round, 3) - 1]
    if rules == "grandma-sue":
        return 95
    if rules == "vegas":
        return (90, 120, 150, 180)[min(round, 4) - 1]
    if rules in ("roth-family", "chan-canasta"):
        return _by_score(total, (50, 2500, 90, 5000, 120, 7500, 150))
    if rules == "american-canasta":
        return _by_score(total, (125, 3000, 155, 5000, 180))
    if rules == "pennies-from-heaven":
        return _by_score(total, (15, 0, 50, 500, 90, 1000, 120, 1500, 150))
    if rules in ("samba", "bolivia"):
        return _by_score(total, (15, 0, 50, 1500, 90, 3000, 120, 7000, 160 if rules == "samba" else 150))
    if rules == "burraco":
        return 0
    if rules == "trinasta":
        return _by_score(total, (15, 0, 50, 1500, 90, 3000, 120, 5000, 150))
    if rules in ("canasta", "canasta-for-two", "canasta-to-7500"):
        return _by_score(total, (15, 0, 50, 1500, 90, 3000, 120))
    return (50, 90, 120, 150)[min(round, 4) - 1]


def _by_score(total: int, steps: Split) -> int:
    """Minimum, then score and minimum in turns."""
    needed = steps[0]
    for score, minimum in list(pairwise(steps))[1::2]:
        needed = minimum if total >= score else needed
    return needed


def copies_exceeded(rules: str, sheet: Json) -> bool:
    """Whether more of a face, or of a rank, lies on the whole sheet than the packs hold."""
    cards = [card for side in sheet["sides"] for card in _all(side)]
    number = packs(rules, sheet["players"])
    own = {"LORD": 20, "JESTER": 20, "LADY": 10, "VILLAIN": 10, "JOKER": 10}
    for rank in {rank_of(card) for card in cards}:
        of_rank = [card for card in cards if rank_of(card) == rank]
        if rules == "hand-n-foot":
            of_rank = [card for card in of_rank if card in own or card.rstrip("?") in map(str, range(1, 13))]
            if len(of_rank) > own.get(rank, 16):
                return True
            continue
        if rules in SUITLESS_TOO and any(card in REMASTERED or is_suitless(card) for card in of_rank):
            if len(of_rank) > {"R3": 2, "B3": 2, "W50": 2}.get(rank, 4) * number:
                return True
            continue
        of_rank = [card for card in of_rank if card == "JK" or card[-1] in "CDHS?"]
        if len(of_rank) > (2 if rank == "JK" else 4) * number:
            return True
        if any(of_rank.count(face) > number for face in of_rank if face != "JK" and face[-1] != "?"):
            return True
    return False


def _all(side: Json) -> list[str]:
    melds = [card for meld in side.get("melds", []) for card in spread(meld)]
    left = [card for hand in side.get("left", []) for card in hand]
    return [*melds, *side.get("laid", []), *side.get("buried", []), *left]
