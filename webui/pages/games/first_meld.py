"""Is a first meld enough? A photo of its cards, each of which can be mended, and the answer with its points."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.deck import load_deck
from scorer.faces import Face, FaceError
from scorer.first_meld import check_first_meld
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.images.overlay import cut_out
from vision.values import Frame
from webui.context.services import services
from webui.corrections.side_table import SideTable, TableCard, TableGroup
from webui.games.progress import GameProgress
from webui.pages.games.game import find_progress
from webui.pages.photos.pictures import view_of
from webui.pages.photos.queue import go_on, submit_photos
from webui.reading import camera_jpegs
from webui.reading.photo_queue import Outcome, does
from webui.reading.reader_service import house_rules, read_together
from webui.rounds.photo_outlines import outlines
from webui.rounds.stored_reading import parse_reading
from webui.storage.job_files import StoredJob
from webui.storage.photo_files import PREVIEW_SIDE
from webui.storage.records import FirstMeldRecord, PhotoRecord

page = Blueprint("first_meld", __name__, url_prefix="/game/<int:game_id>/first-meld")

_CROP_WIDTH = 420
_MOST_CARDS = 60


@page.get("/")
def show(game_id: int) -> str:
    progress = find_progress(game_id)
    number = request.args.get("round", progress.next_round or progress.round_numbers[-1], type=int)
    side = request.args.get("side", 0, type=int)
    _refuse_strangers(progress, number, side)
    return render_template("first_meld/ask.html", game=progress.game, progress=progress, number=number, side=side)


@page.post("/")
def check(game_id: int) -> AnyResponse:
    """Reads a photo that was sent, or takes one with the attached camera."""
    progress = find_progress(game_id)
    number, side = request.form.get("round", 1, type=int), request.form.get("side", 0, type=int)
    _refuse_strangers(progress, number, side)
    asked = url_for(".show", game_id=game_id, round=number, side=side)
    try:
        frames = services().camera.shoot() if "shoot" in request.form else []
    except VisionError as error:
        flash(_sentence(error))
        return go_on(asked)
    file = request.files.get("photos")
    if not frames and (file is None or not file.filename):
        flash("No photo was chosen; choose one and send it again.")
        return go_on(asked)

    about = {"game": game_id, "number": number, "side": side, "shot": bool(frames)}
    sent = camera_jpegs.as_files(frames) if frames else ((file.read(), "the photo") for file in [file] if file)
    return submit_photos((request.content_length or 0) + camera_jpegs.size(frames), asked, "first-meld", about, sent)


@does("first-meld")
def _read_waiting(waiting: StoredJob) -> Outcome:
    about = waiting.job.about
    progress = find_progress(about["game"])
    try:
        if about["shot"]:
            frames, data = camera_jpegs.from_files(waiting.photos())
        else:
            frame, data = services().photo_queue.decode(*next(waiting.photos()))
            frames = [frame]
        kept = _read(progress, about["number"], about["side"], frames, data)
    except VisionError as error:
        return Outcome(waiting.job.target, [_sentence(error)])
    return Outcome(url_for("first_meld.answer", game_id=progress.game.id, meld_id=kept.id))


def _refuse_strangers(progress: GameProgress, number: int, side: int) -> None:
    if number not in progress.round_numbers or side not in progress.sides:
        abort(404, "There is no such round or side in this game; go back to the game.")


def _sentence(error: VisionError) -> str:
    return str(error).rstrip(".") + "."


def _read(progress: GameProgress, number: int, side: int, frames: Sequence[Frame], data: bytes) -> FirstMeldRecord:
    kept, frame, rules = services(), frames[0], progress.rules
    reading = read_together(kept.reader.get(), frames, house_rules(rules, progress.game.players))
    return kept.store.first_melds.add(
        FirstMeldRecord(
            id=0,
            game_id=progress.game.id,
            round=number,
            side=side,
            file=kept.store.files.add(data, to_jpeg(frame.pixels, PREVIEW_SIDE)),
            width=frame.width,
            height=frame.height,
            reading=reading.as_json(),
            faces=tuple({"face": str(card.face), "index": index} for index, card in enumerate(reading.cards)),
        )
    )


@page.get("/<int:meld_id>")
def answer(game_id: int, meld_id: int) -> str:
    progress, meld = _find(game_id, meld_id)
    cards = _cards(meld)
    before = sum(points[meld.side] for number, points in progress.points.items() if number < meld.round)
    checked = check_first_meld([card.face for card in cards], progress.rules, meld.round, before)
    ranks = load_deck(progress.rules.deck).ranks
    photo = PhotoRecord(meld.id, meld.side, None, meld.file, meld.width, meld.height, "", "", meld.reading)
    return render_template(
        "first_meld/answer.html",
        game=progress.game,
        progress=progress,
        meld=meld,
        cards=sorted(cards, key=lambda card: ranks.index(card.face.rank) if card.face.rank in ranks else len(ranks)),
        checked=checked,
        warnings=[notice["message"] for notice in meld.reading["warnings"]],
        drawn=outlines(SideTable((TableGroup("all", "meld", tuple(cards)),)), photo),
        doubts=sum(card.doubt is not None for card in cards),
    )


@page.get("/<int:meld_id>/card/<int:place>")
def card(game_id: int, meld_id: int, place: int) -> str:
    """Asks what a card is; the place after the last asks for one card more."""
    progress, meld = _find(game_id, meld_id)
    cards = _cards(meld)
    if place > len(cards):
        abort(404, "That card is not there any more; go back to the first meld.")
    found = cards[place] if place < len(cards) else None
    deck = load_deck(progress.rules.deck)
    likely = [face for face, _ in found.others if face in deck.copies and face != found.face][:6] if found else []
    return render_template(
        "first_meld/card.html", game=progress.game, meld=meld, card=found, place=place, deck=deck, likely=likely
    )


@page.post("/<int:meld_id>/card/<int:place>")
def mend(game_id: int, meld_id: int, place: int) -> AnyResponse:
    """Names a card, adds one after the last, or takes one away; an empty face takes it away."""
    progress, meld = _find(game_id, meld_id)
    faces = list(meld.faces)
    chosen = request.form.get("face", "")
    if place > len(faces) or (place == len(faces) and not chosen) or place >= _MOST_CARDS:
        abort(409, "That card is not there any more; go back to the first meld.")
    if not chosen:
        del faces[place]
    else:
        try:
            face = Face.parse(chosen)
        except FaceError as error:
            abort(400, f"{str(error).capitalize()}; go back and choose another.")
        if face not in load_deck(progress.rules.deck).copies:
            abort(400, f"There is no card {face} in this deck; go back and choose another.")
        index = faces[place]["index"] if place < len(faces) else None
        faces[place : place + 1] = [{"face": str(face), "index": index, "sure": True}]
    services().store.first_melds.set_faces(meld_id, faces)
    return redirect(url_for(".answer", game_id=game_id, meld_id=meld_id), 303)


@page.get("/<int:meld_id>/card/<int:index>.jpg")
def crop(game_id: int, meld_id: int, index: int) -> Response:
    """One card as the reader outlined it, upright and square on."""
    _, meld = _find(game_id, meld_id)
    cards = parse_reading(meld.reading).cards
    try:
        photo = load_photo(services().store.files.path(meld.file)).pixels
    except VisionError:
        abort(404, "The file of this photo is not there any more.")
    if index >= len(cards):
        abort(404, "There is no such card in this photo.")
    return Response(to_jpeg(cut_out(photo, cards[index].quad, _CROP_WIDTH)), mimetype="image/jpeg")


@page.get("/<int:meld_id>/view.jpg")
def view(game_id: int, meld_id: int) -> AnyResponse:
    _, meld = _find(game_id, meld_id)
    return view_of(meld.file, meld.width, meld.height)


def _find(game_id: int, meld_id: int) -> tuple[GameProgress, FirstMeldRecord]:
    meld = services().store.first_melds.find(meld_id)
    if meld is None or meld.game_id != game_id:
        abort(404, "There is no such photo of a first meld; go back to the game.")
    return find_progress(game_id), meld


def _cards(meld: FirstMeldRecord) -> list[TableCard]:
    """The cards as they stand, each where the reader saw it; one that a person named is in no doubt."""
    reading = parse_reading(meld.reading)
    cards = []
    for place, held in enumerate(meld.faces):
        face, index = Face.parse(held["face"]), held["index"]
        if index is None:
            cards.append(TableCard(str(place), face))
            continue
        seen = reading.cards[index]
        doubt = None if held.get("sure") else seen.doubt
        cards.append(TableCard(str(place), face, seen.face, meld.id, index, seen.quad, None, seen.others, doubt))
    return cards
