"""Which picture shows which face: from what a person says, or from proposals that a person confirms one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorer.faces import Face, is_picture_card
from vision.teach.checks import SOFT, count_note, doubled_note, missing_note, place_of
from vision.teach.taught import DeckPhotos, TaughtCard, TeachingNote

CERTAIN = 0.98
"""Probability from which a proposal needs no question, unless another card has it too."""

LIKELY = 0.5
"""Probability above which a face is offered first although another card has it, such as a second joker."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What to ask next: the position in ``DeckPhotos.cards``, and the faces that it may be, likeliest first, those that
    are not yet taken before all others but one that is likelier than not."""

    card: int
    options: tuple[Face, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """Which card shows which face.

    Attributes:
        photos: the cards.
        faces: the faces that the deck has.
        told: face by position in ``photos.cards``, as a person said it.
        left_out: positions that a person said are not to be used.
        variants: faces of which the deck has several pictures, such as old and new jokers.
        held: faces of which there is a picture from before.
    """

    photos: DeckPhotos
    faces: tuple[Face, ...]
    told: Mapping[int, Face] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    variants: frozenset[Face] = frozenset()
    held: frozenset[Face] = frozenset()

    def settled(self) -> dict[int, Face]:
        """Face by position in ``photos.cards``: what was said, and what is certain without asking."""
        result = dict(self.told)
        taken = set(result.values())
        for face, own in self._claims().items():
            best = max(own, key=lambda n: self.photos.cards[n].sharpness)
            if face in self.faces and face not in taken and all(self._is_again(n, best, face) for n in own):
                result[best] = face
        return dict(sorted(result.items()))

    def repeated(self) -> dict[int, Face]:
        """The cards that need no question, with their face: another photo shows the same one more sharply, or a person
        named it there."""
        by_face: dict[Face, list[int]] = {}
        for n, face in self.settled().items():
            by_face.setdefault(face, []).append(n)
        return {
            n: face
            for face, own in self._claims().items()
            for n in own
            if any(n != other and self._is_again(n, other, face) for other in by_face.get(face, ()))
        }

    def _claims(self) -> dict[Face, list[int]]:
        """The cards of which nobody said anything, by the face that each certainly has."""
        claims: dict[Face, list[int]] = {}
        for n, card in enumerate(self.photos.cards):
            if n not in self.told and n not in self.left_out and card.proposals and card.proposals[0][1] >= CERTAIN:
                claims.setdefault(card.proposals[0][0], []).append(n)
        return claims

    def _is_again(self, one: int, other: int, face: Face) -> bool:
        """Whether one card, which certainly has this face, is the other once more in another photo: it looks the
        same, or is too blurred to compare. Two in one photo, and jokers and picture cards, of which there may be
        several kinds, are for a person to decide."""
        if one == other:
            return True
        if is_picture_card(face) or face in self.variants:
            return False
        first, second = self.photos.cards[one], self.photos.cards[other]
        alike = first.sharpness < SOFT or (min(one, other), max(one, other)) in self.photos.same
        return alike and first.photo != second.photo

    def pictures(self) -> dict[Face, tuple[TaughtCard, ...]]:
        """The cards by face, in the order of the deck's faces; several where the face has variants or is doubled."""
        by_face: dict[Face, list[TaughtCard]] = {}
        for n, face in self.settled().items():
            by_face.setdefault(face, []).append(self.photos.cards[n])
        listed = [face for face in self.faces if face in by_face]
        return {face: tuple(by_face[face]) for face in [*listed, *(f for f in by_face if f not in listed)]}

    def missing(self) -> tuple[Face, ...]:
        """The faces of the deck of which there is no picture."""
        shown = {*self.settled().values(), *self.held}
        return tuple(face for face in dict.fromkeys(self.faces) if face not in shown)

    def doubled(self) -> tuple[Face, ...]:
        """The faces of which there are several pictures though the deck has it once."""
        counts = Counter(self.settled().values())
        return tuple(face for face, count in counts.items() if count > 1 and face not in self.variants)

    def notes(self) -> tuple[TeachingNote, ...]:
        """What is missing or there twice, a sentence each; missing faces only once all cards have their face."""
        photos = 1 + max((card.photo for card in self.photos.cards), default=0)
        notes = []
        settled = self.settled()
        for face in self.doubled():
            own = [n for n, other in settled.items() if other == face]
            places = " and ".join(place_of(self.photos.cards[n], photos) for n in own)
            notes.append(doubled_note(face, own, places))
        lacking = missing_note(self.missing()) if self.next_question() is None else None
        return (*notes, lacking) if lacking else tuple(notes)

    def next_question(self) -> Question | None:
        """The card to ask about next, in the order in which they lie; None once all have their face."""
        done = {*self.settled(), *self.left_out, *self.repeated()}
        following = next((n for n in range(len(self.photos.cards)) if n not in done), None)
        return None if following is None else self.question(following)

    def question(self, card: int) -> Question:
        """What to ask about a card, whether it has its face or not."""
        free, missing = self._free(), self.missing()
        likely = [face for face, _ in self.photos.cards[card].proposals]
        options = [face for face in likely if face in free]
        options += [face for face, share in self.photos.cards[card].proposals if share > LIKELY and face not in free]
        for others in (missing, free, self.faces):
            options += [face for face in dict.fromkeys(self.faces) if face in others and face not in options]
        return Question(card, tuple(options))

    def _free(self) -> set[Face]:
        """The faces that no card of the photos has, or that several may have."""
        shown = set(self.settled().values())
        return {face for face in self.faces if face not in shown} | self.variants


def assign_listed(
    photos: DeckPhotos,
    faces: Sequence[Face],
    listed: Sequence[Sequence[Face]],
    variants: frozenset[Face] = frozenset(),
) -> tuple[Assignment, tuple[TeachingNote, ...]]:
    """Assigns the faces that a person listed for each photo in reading order.

    Args:
        photos: the cards.
        faces: the faces that the deck has.
        listed: a list a photo.
        variants: faces of which the deck has several pictures.

    Returns:
        The assignment, and a note for each photo that shows another number of cards than are listed for it; of such a
        photo nothing is assigned by the list.
    """
    told: dict[int, Face] = {}
    notes = []
    count = max([len(listed), *(card.photo + 1 for card in photos.cards)], default=0)
    for number in range(count):
        own = [n for n, card in enumerate(photos.cards) if card.photo == number]
        named = listed[number] if number < len(listed) else ()
        if len(own) != len(named):
            notes.append(count_note(number, len(own), len(named)))
            continue
        told.update(zip(own, named, strict=True))
    return Assignment(photos, tuple(faces), told, frozenset(), variants), tuple(notes)
