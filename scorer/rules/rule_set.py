"""A rule set: one way to play and score a game of the Hand & Foot family.

A new house rule is a new TOML file. A field is added only for a rule that no existing field can express, with a default
that leaves the other rule sets unchanged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from pydantic import PrivateAttr, ValidationInfo, model_validator

from scorer.deck import DeckProfile, joined, load_deck, shipped_decks
from scorer.faces import Face
from scorer.rules.card_parts import Reported, Who, is_one_of, matches, stands_for
from scorer.rules.consistency import contradictions
from scorer.rules.fields import RuleFields
from scorer.rules.table_parts import Must

KEPT_DECKS = "own_decks"
"""In the text of a rule set, the decks of the household's own that it may be played with."""


class _CardValue(NamedTuple):
    """Name and points of a face under a rule set."""

    label: str
    played: int
    left: int


class AskedBonus(NamedTuple):
    """A bonus or penalty that players tell at the end of a round.

    Attributes:
        key: the side's key in a round sheet for the two of old, ``exact_deals`` and ``improper_melds``; empty for one
            that stands under its name among ``bonuses``.
        name: what it is called.
        points: the points each time.
        when: when it happens, as it is asked.
        who: who may get it: each side, each player, or one side alone.
        most: how often each may get it; None if that is not limited.
    """

    key: str
    name: str
    points: int
    when: str
    who: Who
    most: int | None

    def most_for(self, players: int) -> int | None:
        """How often a side of so many players may get it; None if that is not limited."""
        return None if self.most is None else self.most * (players if self.who == "player" else 1)


class RuleSet(RuleFields):
    """A rule set without contradictions. Methods answer what its fields mean for a round, a player count or a card.

    It may be played with several decks. Its fields name the cards of the first; a card of another deck counts as the
    one that it stands for (``called``).
    """

    _kept_decks: dict[str, DeckProfile] = PrivateAttr(default_factory=dict)
    """Own decks as they were when this rule set was kept, by id."""

    @cached_property
    def all_decks(self) -> tuple[DeckProfile, ...]:
        """The decks that it may be played with, with its number of jokers in a pack."""
        return tuple(deck.with_jokers(self.jokers) for deck in self._printed_decks)

    @cached_property
    def _printed_decks(self) -> tuple[DeckProfile, ...]:
        return tuple(self._kept_decks.get(id) or load_deck(id) for id in (self.deck, *self.decks))

    @cached_property
    def cards(self) -> DeckProfile:
        """All cards that it may be played with, as one deck; ``alike`` has which of them are one card."""
        return joined(self.all_decks)

    @cached_property
    def wilds(self) -> tuple[str, ...]:
        """The wild ranks of all its decks, its own ``wild_ranks`` first."""
        others = (face.rank for face in self.cards.faces if self.is_wild(face))
        return tuple(dict.fromkeys((*self.wild_ranks, *others)))

    def alike(self, face: Face) -> frozenset[Face]:
        """The cards that count together with one without a suit: all 8s with ``8``, ``3D`` and ``3H`` with ``R3``."""
        name = self.cards.called.get(face.rank, face.rank)
        return frozenset(one for one in self.cards.faces if one.rank == face.rank or matches(name, self.called(one)))

    def most_of(self, faces: Iterable[Face]) -> int:
        """The most of some cards that a pack of its decks has."""
        return max(sum(deck.copies.get(face, 0) for face in faces) for deck in self.all_decks)

    def called(self, face: Face) -> Face:
        """The card of the first deck that a card stands for; itself if there is none."""
        return self._stands_for.get(face, face)

    def is_wild(self, face: Face) -> bool:
        """Whether a card is wild."""
        return self.called(face).rank in self.wild_ranks

    def is_laid(self, face: Face) -> bool:
        """Whether a card is laid on the table outside melds."""
        return is_one_of(self.called(face), self.laid)

    def is_cap(self, face: Face) -> bool:
        """Whether a card caps books."""
        return self.cap is not None and is_one_of(self.called(face), self.cap.cards)

    def is_named(self, face: Face, names: Iterable[str]) -> bool:
        """Whether any of the card names of its fields includes a card."""
        return is_one_of(self.called(face), names)

    @cached_property
    def _stands_for(self) -> dict[Face, Face]:
        """The card of the first deck that each card of another stands for, where it is not itself."""
        first, *others = self.all_decks
        return {
            face: stands_for(deck.called[face.rank], first) or face
            for deck in reversed(others)
            for face in deck.faces
            if face not in first.copies and face.rank in deck.called
        }

    @property
    def in_sets(self) -> bool:
        """Whether rounds are hands of sets."""
        return self.hands_in_set > 1

    def hand_of_set(self, round: int) -> int:
        """The number of a round's hand within its set (both from 1); the round itself if the rules have no sets."""
        return (round - 1) % self.hands_in_set + 1 if self.in_sets else round

    def round_name(self, round: int, small: bool = False, sets_before: int = 0) -> str:
        """What a round (from 1) is called: ``Round 3``, and ``Set 1, hand 2`` under rules with sets of hands.

        ``small``: as it stands within a sentence, ``round 3``. ``sets_before``: how many sets were played before this
        game, as at an event whose every set is a game of its own.
        """
        name = f"Round {round}"
        if self.in_sets:
            name = f"Set {sets_before + (round - 1) // self.hands_in_set + 1}, hand {self.hand_of_set(round)}"
        return f"{name[0].lower()}{name[1:]}" if small else name

    def minimum_first_meld(self, round: int, total: int = 0) -> int:
        """The minimum points of a side's first meld in a round (from 1).

        Args:
            round: the round; with sets of hands, the list restarts with each set.
            total: the side's points before the round; used only by rules whose minimum depends on it.
        """
        return self.first_meld.in_round(self.hand_of_set(round), total)

    @property
    def main_source(self) -> str:
        """The source, without the other places at which it was found too."""
        return self.source.partition("; also at ")[0]

    def hand_size(self, round: int, players: int = 0) -> int:
        """The number of cards in a hand in a round (from 1), with so many players if they are known."""
        by_round = self.hand_cards[min(self.hand_of_set(round), len(self.hand_cards)) - 1]
        return self.hand_by_players.get(players, by_round)

    def first_meld_must(self, round: int) -> Must:
        """What a side's first meld in a round (from 1) must be or hold, besides its points."""
        return self.first_meld.must_in(self.hand_of_set(round))

    def points_for_going_out(self, round: int) -> int:
        """The points for going out in a round (from 1)."""
        return self.going_out.points_in(self.hand_of_set(round))

    @property
    def asked(self) -> tuple[AskedBonus, ...]:
        """Every bonus and penalty that players tell at the end of a round."""
        told: list[tuple[str, Reported | None, Who, int | None]] = [
            ("exact_deals", self.exact_deal, "player", 1),
            ("improper_melds", self.improper_meld, "side", None),
            *(("", bonus, bonus.who, bonus.most) for bonus in self.bonuses),
        ]
        return tuple(
            AskedBonus(key, event.name, event.points, event.when, who, most) for key, event, who, most in told if event
        )

    def sides_for(self, players: int, round: int = 1) -> tuple[tuple[int, ...], ...]:
        """Each way to seat a number of players, as the sizes of the sides; empty if the rules do not allow that number.

        Rules without seatings get every split into equal sides, the fewest sides first, and of an odd number two sides
        as equal as possible. A floater counts on the side they play on in the round.
        """
        if self.seatings:
            return tuple(seating.in_round(round) for seating in self.seatings if seating.players == players)
        if players < self.least_players:
            return ()
        equal = tuple((size,) * (players // size) for size in range(players // 2, 0, -1) if players % size == 0)
        return (*equal, ((players + 1) // 2, players // 2)) if players % 2 else equal

    def is_never_melded(self, face: Face) -> bool:
        """Whether a card forms no meld; for one known by rank alone, whether no card of its rank does."""
        return all(is_one_of(one, self.never_melded) for one in self._meant(face))

    def is_melded_going_out(self, face: Face) -> bool:
        """Whether a card is melded only by the side that goes out; one known by rank alone is a card that is melded."""
        meldable = [one for one in self._meant(face) if not is_one_of(one, self.never_melded)]
        return bool(meldable) and all(is_one_of(one, self.melded_going_out) for one in meldable)

    @cached_property
    def meldable_ranks(self) -> tuple[str, ...]:
        """The ranks that melds are made of, wild ones among them, in the order of the deck."""
        return tuple(rank for rank in self.cards.ranks if not self.is_never_melded(Face(rank)))

    def played(self, face: Face) -> int:
        """Points of a card on the table; 0 for a card of another deck.

        A card known by rank alone, in a squared pile, counts as the cards of its rank that are melded; 0 if none is and
        they differ, as black and red 3s do.
        """
        return self._value(face).played

    def left(self, face: Face) -> int:
        """Points of a card left in a hand or foot, usually negative."""
        return self._value(face).left

    def label(self, face: Face) -> str:
        """The plural name of the cards that these rules value alike: ``8s``, ``aces``, ``red 3s``."""
        return self._value(face).label

    def foreign_label(self, face: Face) -> str:
        """The plural name of cards of another deck: ``LADYs``, and ``8s of another deck`` where this one has 8s too."""
        deck = self.cards
        return f"{deck.plural(face.rank)} of another deck" if face.rank in deck.ranks else deck.plural(face.rank)

    @cached_property
    def text(self) -> str:
        """This rule set as JSON text, the same for all equal ones; ``rules_from_text`` reads it.

        Fields that have their default are left out, so that a new field does not change the text of older rule sets.
        """
        data = self.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        own = [deck for deck in self._printed_decks if deck.id not in shipped_decks()]
        if own:  # so that it can be read wherever it is kept, whatever becomes of the deck
            data[KEPT_DECKS] = [deck.model_dump(mode="json", exclude_defaults=True) for deck in own]
        return json.dumps(data, sort_keys=True, ensure_ascii=False)

    @cached_property
    def content_hash(self) -> str:
        """The hash of ``text``, which tells rule sets of the same id apart: 32 hexadecimal digits of its SHA-256."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @cached_property
    def _values(self) -> dict[Face, _CardValue]:
        """Values of faces looked up before; scoring asks for the same few faces again and again."""
        return {}

    def _value(self, face: Face) -> _CardValue:
        if face not in self._values:
            self._values[face] = self._look_up(face)
        return self._values[face]

    def _meant(self, face: Face) -> tuple[Face, ...]:
        """The faces that a card may be: itself, or all of its rank if it is known by rank alone."""
        if face in self.cards.copies or face.suit:
            return (self.called(face),)
        same = tuple(one for one in load_deck(self.deck).faces if one.rank == face.rank)
        return same or (self.called(face),)

    def _look_up(self, face: Face) -> _CardValue:
        plural = self.cards.plural(face.rank)
        if face not in self.cards.copies:
            return self._look_up_rank(face)
        meant = self.called(face)
        for entry in self.points:
            for name in entry.cards:
                if matches(name, meant):
                    colour = name.rpartition(" ")[0] if meant == face else ""
                    return _CardValue(f"{colour} {plural}" if colour else plural, entry.played, entry.left)
        return _CardValue(plural, 0, 0)

    def _look_up_rank(self, face: Face) -> _CardValue:
        """The value of a card known by rank alone, or of another deck's card."""
        if face.suit or face.rank not in self.cards.ranks:
            return _CardValue(self.foreign_label(face), 0, 0)
        meant = self._meant(face)
        melded = [one for one in meant if not is_one_of(one, self.never_melded)]
        values = {(value.played, value.left) for value in map(self._value, melded or meant)}
        return _CardValue(self.cards.plural(face.rank), *(values.pop() if len(values) == 1 else (0, 0)))

    @model_validator(mode="after")
    def _has_no_contradictions(self, info: ValidationInfo) -> RuleSet:
        self._kept_decks.update((info.context or {}).get(KEPT_DECKS, {}))
        if problems := list(contradictions(self, self._kept_decks)):
            raise ValueError("; ".join(problems))
        _ = self._printed_decks  # which are kept from now on, whatever becomes of an own deck
        return self
