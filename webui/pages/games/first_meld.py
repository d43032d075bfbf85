"""Checking a first meld: a photo of its cards, corrections of them, and whether their points are enough."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.faces import Face, FaceError
from scorer.rules import RuleSet
from scorer.scoring.first_meld import FirstMeldCheck, check_first_meld
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.images.overlay import cut_marked, cut_out
from vision.values import Frame
from webui.context.choices import chosen_number
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import has_access
from webui.context.lookups import find_progress
from webui.context.practice import practice_file
from webui.context.responses.photo_responses import photo_view
from webui.context.responses.photo_submission import go_to, submit_photos
from webui.context.services import services
from webui.corrections.asked import asked_if_it_matters, likely_faces
from webui.corrections.side_table import SideTable, TableCard, TableGroup
from webui.decks.in_play import deck_in_play
from webui.games.progress import GameProgress
from webui.reading import camera_jpegs
from webui.reading.photo_jobs import sentence_of
from webui.rounds.overlay.outlines import outlines
from webui.rounds.overlay.tags import names
from webui.rounds.stored_reading import parse_reading
from webui.rounds.typed.cards import TypedCardsError, read_melds
from webui.storage.records import FirstMeldRecord, GameRecord, PhotoRecord
from webui.translation import _

page = Blueprint("first_meld", __name__, url_prefix="/game/<int:game_id>/first-meld")

_LARGEST = 1000
"""Above every number of a round."""

_CARD_WIDTH = 420
_MAX_CARDS = 60


@page.get("/")
def show(game_id: int) -> str:
    """The form that asks for a photo of a side's first meld, or for its cards; answers for those in the query.

    Typed cards are not stored: nobody plays by them later.
    """
    progress = find_progress(game_id)
    number = request.args.get("round", progress.next_round or progress.round_numbers[-1], type=int)
    side = request.args.get("side", 0, type=int)
    _require_round_and_side(progress, number, side)
    checked: FirstMeldCheck | None = None
    sentence: str | None = None
    if "cards" in request.args:
        try:
            checked = _check_typed(progress, number, side, request.args["cards"])
        except TypedCardsError as error:
            sentence = str(error)
    return render_template(
        "first_meld/ask.html",
        game=progress.game,
        progress=progress,
        number=number,
        side=side,
        checked=checked,
        sentence=sentence,
        has_camera=services().camera.is_there,
        deck=deck_in_play(progress.game.decks, progress.rules),
    )


def _check_typed(progress: GameProgress, number: int, side: int, text: str) -> FirstMeldCheck:
    """Checks typed cards: of one line the melds worth most are formed, of several each is a meld as it would be laid.

    Raises:
        TypedCardsError: no card was typed, or a word is none.
    """
    rules, before = progress.rules_in(number), progress.total_before(side, number)
    deck = deck_in_play(progress.game.decks, rules)
    melds = read_melds(text, rules, deck)
    if not melds:
        raise TypedCardsError(_("No cards were typed. Type the cards of the first meld, with a space between them."))
    faces = [tuple(card.face for card in meld) for meld in melds]
    return check_first_meld(faces if len(faces) > 1 else faces[0], rules, number, before)


@page.post("/")
@idempotent
def submit(game_id: int) -> AnyResponse:
    """Submits the photo of the form, or one taken with the attached camera."""
    progress = find_progress(game_id)
    number = chosen_number("round", range(_LARGEST), unsaid=1)
    side = chosen_number("side", range(_LARGEST), unsaid=0)
    _require_round_and_side(progress, number, side)
    form_url = url_for(".show", game_id=game_id, round=number, side=side)
    if "shoot" in request.form and not has_access():  # the camera may stand over another table
        abort(403, _("This device cannot use the table camera. Go back and take the photo with the phone."))
    try:
        frames = _shot(progress.game, side) if "shoot" in request.form else ()
    except VisionError as error:
        flash(sentence_of(error))
        return go_to(form_url)
    file = request.files.get("photos")
    if not frames and (file is None or not file.filename):
        flash(_("No photo was chosen. Choose one and try again."))
        return go_to(form_url)

    about = {"game": game_id, "number": number, "side": side, "shot": bool(frames)}
    photos = (
        camera_jpegs.encode_frames(frames) if frames else ((file.read(), _("the photo")) for file in [file] if file)
    )
    return submit_photos(
        (request.content_length or 0) + camera_jpegs.estimated_size(frames), form_url, "first-meld", about, photos
    )


def _shot(game: GameRecord, side: int) -> Sequence[Frame]:
    """What the table camera sees; of a practice game the practice cards."""
    return (load_photo(practice_file(game, side, None)),) if game.practice else services().camera.capture()


def _require_round_and_side(progress: GameProgress, number: int, side: int) -> None:
    if number not in progress.round_numbers or side not in progress.sides:
        abort(404, _("This game has no such round or side. Go back to the game."))


@page.get("/<int:meld_id>")
def answer(game_id: int, meld_id: int) -> str:
    """Whether the first meld is enough, with its cards and points."""
    progress, meld = _find(game_id, meld_id)
    cards = _cards(meld, progress.rules_in(meld.round))
    before = progress.total_before(meld.side, meld.round)
    checked = check_first_meld([card.face for card in cards], progress.rules_in(meld.round), meld.round, before)
    ranks = deck_in_play(progress.game.decks, progress.rules).ranks
    table = SideTable((TableGroup("all", "meld", tuple(cards)),))
    photo = PhotoRecord(meld.id, meld.side, None, meld.file, meld.width, meld.height, "", "", meld.reading)
    return render_template(
        "first_meld/answer.html",
        game=progress.game,
        progress=progress,
        meld=meld,
        cards=sorted(cards, key=lambda card: ranks.index(card.face.rank) if card.face.rank in ranks else len(ranks)),
        checked=checked,
        warnings=[notice["message"] for notice in meld.reading["warnings"]],
        drawn=outlines(table, photo),
        names=partial(names, table.groups, photo),
        doubts=sum(card.doubt is not None for card in cards),
    )


@page.get("/<int:meld_id>/card/<int:place>")
def card(game_id: int, meld_id: int, place: int) -> str:
    """The form that asks what a card is; the place after the last adds a card."""
    progress, meld = _find(game_id, meld_id)
    cards = _cards(meld, progress.rules_in(meld.round))
    if place > len(cards):
        abort(404, _("That card is gone. Go back to the first meld."))
    found = cards[place] if place < len(cards) else None
    deck = deck_in_play(progress.game.decks, progress.rules)
    likely = likely_faces(found.face, found.others, deck) if found else []
    return render_template(
        "first_meld/card.html", game=progress.game, meld=meld, card=found, place=place, deck=deck, likely=likely
    )


@page.post("/<int:meld_id>/card/<int:place>")
@idempotent
def correct_card(game_id: int, meld_id: int, place: int) -> AnyResponse:
    """Sets the face of a card, adds a card after the last, or removes one if the face is empty."""
    progress, meld = _find(game_id, meld_id)
    faces = list(meld.faces)
    chosen = request.form.get("face", "")
    if place > len(faces) or (place == len(faces) and not chosen) or place >= _MAX_CARDS:
        abort(409, _("That card is gone. Go back to the first meld."))
    if not chosen:
        del faces[place]
    else:
        try:
            face = Face.parse(chosen)
        except FaceError as error:
            abort(400, _("%(error)s. Go back and choose another.", error=str(error).capitalize()))
        if face not in deck_in_play(progress.game.decks, progress.rules).copies:
            abort(400, _("This deck has no %(face)s. Go back and choose another.", face=face))
        index = faces[place]["index"] if place < len(faces) else None
        faces[place : place + 1] = [{"face": str(face), "index": index, "sure": True}]
    services().store.first_melds.set_faces(meld_id, faces)
    return redirect(url_for(".answer", game_id=game_id, meld_id=meld_id), 303)


@page.get("/<int:meld_id>/card/<int:index>.jpg")
def crop(game_id: int, meld_id: int, index: int) -> Response:
    """One card of the reading, upright and seen from above; with ``marked``, outlined in its surroundings."""
    _progress, meld = _find(game_id, meld_id)
    cards = parse_reading(meld.reading).cards
    try:
        photo = load_photo(services().store.files.path(meld.file)).pixels
    except VisionError:
        abort(404, _("The file of this photo is gone."))
    if index >= len(cards):
        abort(404, _("There is no such card in this photo."))
    quad = cards[index].quad
    cut = cut_marked(photo, [quad]) if "marked" in request.args else cut_out(photo, quad, _CARD_WIDTH)
    return Response(to_jpeg(cut), mimetype="image/jpeg")


@page.get("/<int:meld_id>/view.jpg")
def view(game_id: int, meld_id: int) -> AnyResponse:
    """The photo, reduced for viewing."""
    _progress, meld = _find(game_id, meld_id)
    return photo_view(meld.file, meld.width, meld.height)


def _find(game_id: int, meld_id: int) -> tuple[GameProgress, FirstMeldRecord]:
    meld = services().store.first_melds.find(meld_id)
    if meld is None or meld.game_id != game_id:
        abort(404, _("There is no such photo of a first meld. Go back to the game."))
    return find_progress(game_id), meld


def _cards(meld: FirstMeldRecord, rules: RuleSet) -> list[TableCard]:
    """The cards with corrections, each where the reader saw it; one that a person set is not in doubt."""
    reading = parse_reading(meld.reading)
    cards = []
    for place, entry in enumerate(meld.faces):
        face, index = Face.parse(entry["face"]), entry["index"]
        if index is None:
            cards.append(TableCard(str(place), face))
            continue
        seen = reading.cards[index]
        doubt = None if entry.get("sure") else seen.doubt
        card = TableCard(str(place), face, seen.face, meld.id, index, seen.quad, None, seen.others, doubt)
        cards.append(asked_if_it_matters(card, rules))
    return cards
