"""One lesson: a deck being taught from photos. What was found in them, and what people answered so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from pydantic import Field

from scorer.data import Frozen
from scorer.deck_profile import DeckProfile
from scorer.errors import DeckError
from scorer.faces import Face, is_picture_card
from vision.teach.assignment import Assignment
from vision.teach.taught import DeckPhotos, TaughtCard, TeachingNote, Trouble
from vision.values import Pixels
from webui.decks.picture_cards import picture_cards

MOST_PHOTOS = 4
MOST_STEPS = 40
"""So many answers can be taken back."""
Reason = Literal["no-card", "double"]
"""Why a card of a photo is not used."""
_POOR = frozenset({Trouble.BLURRED, Trouble.DARK, Trouble.TOO_SMALL})
"""Troubles of a photo that another photo of the same cards mends."""
_NO_PIXELS: Pixels = np.zeros((0, 0, 3), np.uint8)


class LessonPhoto(Frozen):
    """One photo. ``id`` is its number from 1, which no other photo of the lesson gets; ``sha256`` is of its file."""

    id: int
    width: int
    height: int
    source: str
    sha256: str


class LessonCard(Frozen):
    """A card found in a photo, as ``vision.teach.taught.TaughtCard`` without its picture."""

    photo: int
    place: int
    row: int
    column: int
    quad: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    width: float
    sharpness: float
    brightness: float
    proposals: tuple[tuple[str, float], ...]
    turn_unsure: bool


class LessonNote(Frozen):
    """What is wrong with a photo (by its id), or with all: a code of ``vision.teach.taught.Trouble`` and a sentence."""

    code: str
    message: str
    photo: int | None
    cards: tuple[int, ...]


class Answers(Frozen):
    """What people said, by the positions of cards in ``Lesson.cards``.

    Attributes:
        told: faces as text.
        left_out: cards that are not used, and why.
        skipped: cards to ask about later.
        turned: cards whose picture was turned upside down.
        variants: faces of which there are several kinds.
        better: faces whose new picture takes the place of the one from before.
    """

    told: dict[int, str] = Field(default_factory=dict)
    left_out: dict[int, Reason] = Field(default_factory=dict)
    skipped: tuple[int, ...] = ()
    turned: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    better: tuple[str, ...] = ()


class Lesson(Frozen):
    """A lesson as it is stored.

    Attributes:
        just_jokers: whether only jokers and picture cards are shown.
        photos: in the order in which they came.
        cards: those of all photos, in reading order.
        notes, same: as of ``DeckPhotos``.
        answers: what people said.
        before: the answers as they were before each step, the last one last.
        version: goes up with every change.
        next_photo: the id of the next photo.
    """

    just_jokers: bool = False
    photos: tuple[LessonPhoto, ...] = ()
    cards: tuple[LessonCard, ...] = ()
    notes: tuple[LessonNote, ...] = ()
    same: tuple[tuple[int, int], ...] = ()
    answers: Answers = Answers()
    before: tuple[Answers, ...] = ()
    version: int = 0
    next_photo: int = 1

    def faces(self, profile: DeckProfile) -> tuple[Face, ...]:
        """The faces that it is about."""
        return picture_cards(profile) if self.just_jokers else profile.faces

    def assignment(self, profile: DeckProfile, held: Iterable[Face]) -> Assignment:
        """Which card shows which face, given the faces that were taught before."""
        numbers = {photo.id: n for n, photo in enumerate(self.photos)}
        cards = tuple(_taught(card, numbers[card.photo]) for card in self.cards)
        faces = self.faces(profile)
        answers = self.answers
        return Assignment(
            DeckPhotos(cards, (), self.same),
            faces,
            {n: Face.parse(text) for n, text in answers.told.items()},
            frozenset({*answers.left_out, *answers.skipped}),
            frozenset(map(Face.parse, answers.variants)),
            frozenset(held) & frozenset(faces),
        )

    def doubled(self, assignment: Assignment) -> Face | None:
        """A face that must be decided about: there are two pictures of it in the photos, or a joker or picture card
        was taught before."""
        for face in assignment.doubled():
            return face
        decided = {*self.answers.variants, *self.answers.better}
        again = (face for face in dict.fromkeys(assignment.settled().values()) if face in assignment.held)
        return next((face for face in again if is_picture_card(face) and str(face) not in decided), None)

    def open_notes(self, assignment: Assignment) -> list[LessonNote]:
        """What is wrong with the photos. Of cards that seem to be the same the first pair is told, unless people said
        what they are: once two cards have one face, it is asked which of them to keep. Of poor pictures nothing is told
        once another photo shows all those cards better."""
        again = assignment.repeated()
        told = {*assignment.settled(), *self.answers.left_out, *again}
        same = [note for note in self.notes if note.code == Trouble.SAME_TWICE and not set(note.cards) <= told]
        others = [note for note in self.notes if note.code != Trouble.SAME_TWICE]
        better = [note for note in others if note.code in _POOR and note.cards and again.keys() >= set(note.cards)]
        return [*(note for note in others if note not in better), *same[:1]]

    def answered(self, answers: Answers) -> Lesson:
        """With other answers, which can be taken back."""
        return self.model_copy(
            update={
                "answers": answers,
                "before": (*self.before, self.answers)[-MOST_STEPS:],
                "version": self.version + 1,
            }
        )

    def tell(self, card: int, face: Face) -> Lesson:
        """With what a person said of a card."""
        return self._with(card, told={**self._told_without(card), card: str(face)})

    def leave_out(self, card: int, reason: Reason) -> Lesson:
        """Without a card."""
        left_out = {**self.answers.left_out, card: reason}
        return self._with(card, told=self._told_without(card), left_out=left_out)

    def skip(self, card: int) -> Lesson:
        """With a card put off."""
        kept = tuple(n for n in self.answers.skipped if n != card)
        return self._with(card, told=self._told_without(card), skipped=(*kept, card))

    def ask_skipped(self) -> Lesson:
        """With the cards that were put off asked about again."""
        return self.answered(self.answers.model_copy(update={"skipped": ()}))

    def keep_one(self, card: int, assignment: Assignment) -> Lesson:
        """With one of several cards of its face, the others left out; in place of that from before."""
        face = assignment.settled()[card]
        others = [n for n, other in assignment.settled().items() if other == face and n != card]
        told = {n: text for n, text in self.answers.told.items() if n not in others} | {card: str(face)}
        left_out: dict[int, Reason] = {**self.answers.left_out, **dict.fromkeys(others, "double")}
        return self.answered(
            self.answers.model_copy(
                update={"told": told, "left_out": left_out, "better": (*self.answers.better, str(face))}
            )
        )

    def keep_old(self, face: Face, assignment: Assignment) -> Lesson:
        """With the picture of a face from before, and none of the photos'."""
        own = [n for n, other in assignment.settled().items() if other == face]
        told = {n: text for n, text in self.answers.told.items() if n not in own}
        left_out: dict[int, Reason] = {**self.answers.left_out, **dict.fromkeys(own, "double")}
        return self.answered(self.answers.model_copy(update={"told": told, "left_out": left_out}))

    def several_kinds(self, face: Face) -> Lesson:
        """With several kinds of a face."""
        variants = tuple(dict.fromkeys((*self.answers.variants, str(face))))
        return self.answered(self.answers.model_copy(update={"variants": variants}))

    def taken_back(self) -> Lesson:
        """Without the last answer."""
        if not self.before:
            return self
        turned = self.answers.turned  # the picture itself was turned
        answers = self.before[-1].model_copy(update={"turned": turned})
        return self.model_copy(
            update={"answers": answers, "before": self.before[:-1], "version": self.version + 1},
        )

    def checked(self, card: int) -> LessonCard:
        """A card by its position.

        Raises:
            DeckError: there is none.
        """
        if not 0 <= card < len(self.cards):
            raise DeckError(f"expected one of {len(self.cards)} cards of the photos, got {card}")
        return self.cards[card]

    def renumbered(self, places: dict[int, int]) -> Answers:
        """The answers by other positions of the cards, ``places`` by those of now; of others they are forgotten."""
        old = self.answers
        return old.model_copy(
            update={
                "told": {places[n]: text for n, text in old.told.items() if n in places},
                "left_out": {places[n]: why for n, why in old.left_out.items() if n in places},
                "skipped": tuple(places[n] for n in old.skipped if n in places),
                "turned": tuple(places[n] for n in old.turned if n in places),
            }
        )

    def _told_without(self, card: int) -> dict[int, str]:
        return {n: text for n, text in self.answers.told.items() if n != card}

    def _with(self, card: int, **changed: object) -> Lesson:
        """With changed answers about a card, which is neither left out nor skipped unless that is the change."""
        left_out = {n: why for n, why in self.answers.left_out.items() if n != card}
        skipped = tuple(n for n in self.answers.skipped if n != card)
        return self.answered(self.answers.model_copy(update={"left_out": left_out, "skipped": skipped, **changed}))


def stored_card(card: TaughtCard, photo: int, place: int) -> LessonCard:
    """A card as it is stored: ``photo`` is the id of its photo, ``place`` its position among the photo's cards."""
    return LessonCard(
        photo=photo,
        place=place,
        row=card.row,
        column=card.place,
        quad=card.quad,
        width=card.width,
        sharpness=card.sharpness,
        brightness=card.brightness,
        proposals=tuple((str(face), share) for face, share in card.proposals),
        turn_unsure=card.turn_unsure,
    )


def stored_note(note: TeachingNote, photos: tuple[LessonPhoto, ...]) -> LessonNote:
    """A note as it is stored."""
    photo = None if note.photo is None else photos[note.photo].id
    return LessonNote(code=str(note.code), message=note.message, photo=photo, cards=note.cards)


def _taught(card: LessonCard, photo: int) -> TaughtCard:
    return TaughtCard(
        photo=photo,
        row=card.row,
        place=card.column,
        quad=card.quad,
        picture=_NO_PIXELS,
        width=card.width,
        sharpness=card.sharpness,
        brightness=card.brightness,
        proposals=tuple((Face.parse(text), share) for text, share in card.proposals),
        turn_unsure=card.turn_unsure,
    )
