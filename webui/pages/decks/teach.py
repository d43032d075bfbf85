"""Teaching a deck: photos of its cards, and one question at a time about which card is which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.errors import DeckError
from scorer.faces import Face, FaceError
from vision.errors import VisionError
from vision.images.sandbox import shared_decoder
from vision.teach.assignment import Assignment, Question
from vision.teach.taught import Trouble
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import find_deck
from webui.context.responses.card_pictures import picture_of, view_of
from webui.context.responses.photo_submission import go_to, submit_photos
from webui.context.services import services
from webui.decks.lesson import MOST_PHOTOS, Lesson, LessonNote
from webui.decks.lesson_files import LessonChanged
from webui.decks.picture_cards import picture_cards
from webui.decks.taught import TaughtDeck
from webui.reading import camera_jpegs
from webui.reading.photo_jobs import sentence_of
from webui.reading.teach_job import TeachJob
from webui.translation import _, ngettext
from webui.wording import photo_name

page = Blueprint("teach", __name__, url_prefix="/decks")

_LIKELY = 8
"""So many faces are offered with a question; all are behind a click."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the page asks: about a card, about several cards of one face, or nothing more.

    Attributes:
        question: the card to name, with the faces offered first.
        doubled: the face of which there are several cards, their positions in ``cards``; ``held`` whether a picture of
            before is among them.
        skipped: how many cards were put off.
    """

    question: Question | None = None
    doubled: Face | None = None
    cards: tuple[int, ...] = ()
    held: bool = False
    skipped: int = 0


@page.post("/<deck_id>/teach/begin")
@idempotent
def begin(deck_id: str) -> Response:
    """Begins anew: all cards of a deck, or just its jokers."""
    services().lessons.begin(find_deck(deck_id).id, request.form.get("what") == "jokers")
    return redirect(url_for(".show", deck_id=deck_id), 303)


@page.get("/<deck_id>/teach")
def show(deck_id: str) -> str:
    """The photos, and what to do next."""
    deck, lesson = find_deck(deck_id), services().lessons.of(deck_id)
    assignment = lesson.assignment(deck.profile, deck.faces)
    chosen = request.args.get("card", type=int)
    if chosen is not None and not 0 <= chosen < len(lesson.cards):
        chosen = None
    settled, again = assignment.settled(), assignment.repeated()
    unused = {*lesson.answers.left_out, *again}
    step = _step(lesson, assignment, chosen)
    return render_template(
        "teach/teach.html",
        deck=deck,
        lesson=lesson,
        faces=lesson.faces(deck.profile),
        step=step,
        chosen=chosen,
        settled=settled,
        missing=assignment.missing(),
        notes=_by_photo(lesson, lesson.open_notes(assignment)),
        unused=unused,
        again=len(set(again.values())),
        todo=sum(n not in settled and n not in unused for n in range(len(lesson.cards))),
        most=MOST_PHOTOS,
        offered=_offered(step.question, deck, settled) if step.question else (),
        likenesses=_likenesses(deck, lesson, settled),
        has_jokers=bool(picture_cards(deck.profile)) and len(picture_cards(deck.profile)) < len(deck.profile.faces),
        has_camera=services().camera.is_there,
    )


def _step(lesson: Lesson, assignment: Assignment, chosen: int | None) -> Step:
    """What comes next: first cards of one face, then the next card."""
    settled, skipped = assignment.settled(), len(lesson.answers.skipped)
    if chosen is not None:
        return Step(question=assignment.question(chosen), skipped=skipped)
    face = lesson.doubled(assignment)
    if face is not None:
        own = tuple(n for n, other in settled.items() if other == face)
        return Step(doubled=face, cards=own, held=face in assignment.held, skipped=skipped)
    return Step(question=assignment.next_question(), skipped=skipped)


def _offered(question: Question, deck: TaughtDeck, settled: Mapping[int, Face]) -> tuple[Face, ...]:
    """The faces offered with a question, in the deck's order: the likeliest, or all for a card that has its name."""
    order = deck.profile.faces
    if question.card in settled:
        return order
    return tuple(sorted(question.options[:_LIKELY], key=order.index))


def _likenesses(deck: TaughtDeck, lesson: Lesson, settled: Mapping[int, Face]) -> dict[Face, str]:
    """The address of a small picture of each face that has one: from these photos, or from before."""
    held = {
        face: url_for("deck.picture", deck_id=deck.id, face=face, variant=pictures[0].variant, w=120)
        for face, pictures in deck.faces.items()
    }
    return held | {
        face: url_for(".card", deck_id=deck.id, number=n, w=120, v=lesson.version) for n, face in settled.items()
    }


def _by_photo(lesson: Lesson, notes: list[LessonNote]) -> dict[int | None, list[str]]:
    """The sentences about each photo by its id, and those about all."""
    twice = _("A card seems to be here twice. You will be asked which picture to keep.")
    ids = (None, *(photo.id for photo in lesson.photos))
    return {
        id: [twice if note.code == Trouble.SAME_TWICE else note.message for note in notes if note.photo == id]
        for id in ids
    }


@page.post("/<deck_id>/teach/photos")
@idempotent
def send_photos(deck_id: str) -> Response:
    """Submits photos of the form, or one taken with the attached camera."""
    deck, target = find_deck(deck_id), url_for(".show", deck_id=deck_id)
    about = {"deck": deck.id, "shot": "shoot" in request.form}
    if about["shot"]:
        try:
            frames = services().camera.capture()[:1]
        except VisionError as error:
            flash(sentence_of(error))
            return go_to(target)
        size = camera_jpegs.estimated_size(frames)
        return submit_photos(size, target, "teach", about, camera_jpegs.encode_frames(frames))
    files = [file for file in request.files.getlist("photos") if file.filename]
    if not files:
        flash(_("No photo was chosen. Choose one or more and try again."))
        return go_to(target)
    sent = ((file.read(), photo_name(file.filename or "")) for file in files[: MOST_PHOTOS + 1])
    return submit_photos(request.content_length or 0, target, "teach", about, sent)


@page.post("/<deck_id>/teach/photo/<int:photo_id>/remove")
@idempotent
def remove_photo(deck_id: str, photo_id: int) -> Response:
    """Removes a photo; what was said of the cards of the others stays."""
    find_deck(deck_id)
    finder = TeachJob(services().lessons, services().reader, shared_decoder().decode)
    services().lessons.remove_photo(deck_id, photo_id, finder.find)
    flash(_("The photo is removed. Your other answers are still here."), "good")
    return redirect(url_for(".show", deck_id=deck_id), 303)


@page.post("/<deck_id>/teach/answer")
@idempotent
def answer(deck_id: str) -> Response:
    """Saves what a card is, or that it is none."""
    form, deck = request.form, find_deck(deck_id)
    card = form.get("card", -1, type=int)
    said = form.get("face", "")

    def change(lesson: Lesson) -> Lesson:
        lesson.checked(card)
        if said == "skip":
            return lesson.skip(card)
        if said == "no-card":
            return lesson.leave_out(card, "no-card")
        try:
            face = Face.parse(said)
        except FaceError as error:
            raise DeckError(str(error)) from error
        if face not in deck.profile.copies:
            raise DeckError(f"expected a card of the deck, got {said[:20]!r}")
        return lesson.tell(card, face)

    return _changed(deck_id, change)


@page.post("/<deck_id>/teach/kinds")
@idempotent
def decide(deck_id: str) -> Response:
    """Saves which of several cards of one face is kept, or that they are several kinds."""
    form, deck = request.form, find_deck(deck_id)
    keep = form.get("keep", "")

    def change(lesson: Lesson) -> Lesson:
        assignment = lesson.assignment(deck.profile, deck.faces)
        face = lesson.doubled(assignment)
        if face is None or str(face) != form.get("face"):
            raise DeckError("expected the card that is asked about")
        if keep == "all":
            return lesson.several_kinds(face)
        if keep == "old" and face in assignment.held:
            return lesson.keep_old(face, assignment)
        card = form.get("keep", -1, type=int)
        if assignment.settled().get(card) != face:
            raise DeckError("expected one of the cards that are asked about")
        return lesson.keep_one(card, assignment)

    return _changed(deck_id, change)


@page.post("/<deck_id>/teach/turn")
@idempotent
def turn(deck_id: str) -> Response:
    """Turns the picture of a card upside down."""
    find_deck(deck_id)
    card = request.form.get("card", -1, type=int)
    try:
        services().lessons.turn(deck_id, card)
    except DeckError:
        abort(404, _("That card is gone. Go back to the photos of your cards."))
    return redirect(url_for(".show", deck_id=deck_id, card=card), 303)


@page.post("/<deck_id>/teach/again")
@idempotent
def again(deck_id: str) -> Response:
    """Takes the last answer back, or asks about the cards that were put off."""
    find_deck(deck_id)
    back = request.form.get("what") == "back"
    services().lessons.change(deck_id, lambda lesson: lesson.taken_back() if back else lesson.ask_skipped())
    return redirect(url_for(".show", deck_id=deck_id), 303)


@page.post("/<deck_id>/teach/save")
@idempotent
def save(deck_id: str) -> Response:
    """Keeps the pictures of the cards that have their face; ends the lesson."""
    deck, lessons = find_deck(deck_id), services().lessons
    lesson = lessons.of(deck_id)
    assignment = lesson.assignment(deck.profile, deck.faces)
    if not assignment.settled() or lesson.doubled(assignment) is not None:
        flash(_("There is still a question to answer first."))
        return redirect(url_for(".show", deck_id=deck_id), 303)
    pictures: dict[Face, list[bytes]] = {}
    for n, face in assignment.settled().items():
        pictures.setdefault(face, []).append(lessons.picture_bytes(deck_id, lesson.cards[n]))
    services().decks.teach(deck_id, pictures, assignment.variants)
    lessons.end(deck_id)
    count = sum(map(len, pictures.values()))
    flash(ngettext("%(num)s card is saved.", "%(num)s cards are saved.", count), "good")
    services().learning.renew()
    return redirect(url_for("deck.show", deck_id=deck_id), 303)


@page.get("/<deck_id>/teach/card/<int:number>.webp")
def card(deck_id: str, number: int) -> Response:
    """The picture of a card; with ``w``, of about that width."""
    find_deck(deck_id)
    lesson = services().lessons.of(deck_id)
    if number >= len(lesson.cards):
        abort(404, _("That card is gone. Go back to the photos of your cards."))
    return picture_of(services().lessons.picture(deck_id, lesson.cards[number]))


@page.get("/<deck_id>/teach/photo/<int:photo_id>.jpg")
def photo(deck_id: str, photo_id: int) -> Response:
    """A photo, reduced for viewing."""
    find_deck(deck_id)
    return view_of(services().lessons.view(deck_id, photo_id))


def _changed(deck_id: str, change: Callable[[Lesson], Lesson]) -> Response:
    """Changes the lesson and leads back to its page, with a sentence where that could not be."""
    try:
        services().lessons.change(deck_id, change, request.form.get("seen", type=int))
    except LessonChanged:
        flash(_("Someone else answered meanwhile. Here is the next question."))
    except DeckError:
        flash(_("That card is gone. Here is the next question."))
    return redirect(url_for(".show", deck_id=deck_id), 303)
