"""Watching the table while a round is played: on and off, where each side lays its cards, and what was seen."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.rules import load_rules
from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.images.overlay import cut_marked
from webui.access.addresses import referring_page
from webui.context.guard.idempotency import idempotent
from webui.context.invitation import invitation
from webui.context.lookups import find_game, find_progress, find_round, find_view, last_seen_change
from webui.context.responses.photo_responses import YEAR, missing_photo
from webui.context.services import services
from webui.context.visitor import visitor_name
from webui.corrections.outside import NOBODY, set_whose
from webui.reading.reader_service import house_rules_of
from webui.rounds.round_view import RoundView, is_being_scored
from webui.rounds.stored_reading import parse_reading
from webui.rounds.watched import additions, compare
from webui.storage.changes import SetAside
from webui.storage.errors import write_error
from webui.storage.records import GameRecord
from webui.translation import _
from webui.watching.areas import drawn, proposals
from webui.watching.changes_in_words import changes_in_words
from webui.watching.fill_round import fill_round, fill_side
from webui.watching.film import Film
from webui.watching.table_watch import WatchError
from webui.whole_numbers import whole_number

page = Blueprint("watch", __name__, url_prefix="/game/<int:game_id>/watch")

_MAX_MARKED_WIDTH, _MOST_MARKED = 480, 60
_NOW_SIDE = 960
"""The longer side of the picture in which boxes are drawn."""


@page.get("/")
def show(game_id: int) -> str:
    """The round that is watched or was watched last, and where each side lays its cards."""
    progress = find_progress(game_id)
    game, watch = progress.game, services().watch
    films, turn = watch.films_of(game), request.args.get("turn", type=int)
    film = films[-1] if films else None
    proposed = proposals(len(game.sides))
    said = film.boxes_now if film else None
    boxes = said if said and turn is None else proposed[(turn or 0) % len(proposed)]
    return render_template(
        "watch/watch.html",
        game=game,
        rules=progress.rules,
        number=progress.next_round,
        is_scored=any(one.number == progress.next_round and is_being_scored(one) for one in game.rounds),
        film=film,
        now=watch.now if watch.now and watch.now.game == game_id else None,
        films=films,
        hints=watch.films.has_hints,
        boxes=boxes,
        turned=turn is not None,
        next_turn=(0 if turn is None and said else (turn or 0) + 1) % len(proposed),
        is_said_on="camera" in request.args,
        has_camera=services().camera.is_there,
        invitation=invitation(url_for("phone.show")),
        is_encrypted=request.is_secure or services().settings.https_port is not None,
        **services().camera.in_use(),
    )


@page.post("/start")
@idempotent
def start(game_id: int) -> AnyResponse:
    """Begins to watch the next round of the game."""
    progress = find_progress(game_id)
    if progress.next_round is None or progress.game.practice or not services().camera.is_there:
        abort(409, _("There is nothing to watch. Go back to the game."))
    try:
        services().watch.start(progress.game, progress.next_round, visitor_name())
    except WatchError as error:
        flash(str(error))
    return redirect(url_for(".show", game_id=game_id), 303)


@page.post("/stop")
def stop(game_id: int) -> AnyResponse:
    """Ends watching, wherever the button was pressed."""
    find_game(game_id)
    now = services().watch.now
    if now is not None and now.game == game_id:
        services().watch.stop()
    return redirect(referring_page() or url_for(".show", game_id=game_id), 303)


@page.post("/hints")
def set_hints(game_id: int) -> AnyResponse:
    """Saves whether the house wants to be told of a meld that breaks the rules while they play."""
    find_game(game_id)
    try:
        services().watch.set_hints("hints" in request.form)
    except OSError as error:
        flash(write_error(error))
    return redirect(url_for(".show", game_id=game_id), 303)


@page.post("/<int:number>/areas")
def set_areas(game_id: int, number: int) -> AnyResponse:
    """Saves where each side lays its cards; it holds for the evening."""
    game = find_game(game_id)
    found = _find(game, number)
    try:
        boxes = drawn(request.form.get("boxes", ""), len(game.sides))
    except ValueError:
        abort(400, _("One of the boxes is too small or folded over. Go back and draw it again."))
    services().watch.set_areas(found, boxes)
    if not found.on and fill_round(services().store, services().watch, game, number):
        return redirect(url_for("round.show", game_id=game_id, number=number), 303)
    flash(_("Saved. It holds for the evening, as long as camera and table stay where they are."), "good")
    return redirect(url_for(".show", game_id=game_id), 303)


@page.get("/<int:number>/film")
def film(game_id: int, number: int) -> str:
    """Every change of a watched round with its picture."""
    game = find_game(game_id)
    found, rules = _find(game, number), load_rules(game.rules)
    house = house_rules_of(game, rules)
    return render_template("watch/film.html", game=game, film=found, changes=changes_in_words(found, rules, house))


@page.get("/<int:number>/picture/<int:picture>.jpg")
def picture(game_id: int, number: int, picture: int) -> AnyResponse:
    """The small picture of a change."""
    found = _find(find_game(game_id), number)
    path = services().watch.films.files.picture(game_id, number, picture)
    if not path.exists():
        width, height = found.shots[0].size if found.shots else (960, 540)
        return missing_photo(width, height)
    response = send_file(path, mimetype="image/jpeg", max_age=YEAR)
    response.cache_control.public = False  # a cache on the way would keep the picture of a home
    response.cache_control.private = True
    return response


@page.get("/now.jpg")
def now(game_id: int) -> AnyResponse:
    """What the camera sees now, in which boxes are drawn: turned as it was when the first card was laid."""
    watch = services().watch
    film = watch.now if find_game(game_id).id == (watch.now and watch.now.game) else None
    pixels = watch.picture(film) if film else None
    if pixels is None:
        return redirect(url_for("camera.picture"))
    response = Response(to_jpeg(pixels, _NOW_SIDE), mimetype="image/jpeg")
    response.cache_control.no_store = True
    return response


@page.get("/<int:number>/card/<cards>.jpg")
def card(game_id: int, number: int, cards: str) -> AnyResponse:
    """Cards, ``3-4-7`` by their numbers in the film, outlined where they were laid: all in the picture of the first."""
    width = min(_MAX_MARKED_WIDTH, max(60, request.args.get("w", _MAX_MARKED_WIDTH, type=int)))
    found = services().watch.film(find_game(game_id), number)
    laid = [found.cards[one] for one in cards.split("-")[:_MOST_MARKED] if one in found.cards] if found else []
    if found is None or not laid:
        return missing_photo(width, width)
    picture = found.pictures[laid[0][0]].picture
    outlines = [outline for shot, outline in laid if found.pictures[shot].picture == picture]
    try:
        pixels = load_photo(services().watch.films.files.picture(game_id, number, picture)).pixels
    except PhotoError:
        return missing_photo(width, width)
    quads = [((a, b), (c, d), (e, f), (g, h)) for (a, b), (c, d), (e, f), (g, h) in outlines]
    response = Response(to_jpeg(cut_marked(pixels, quads, width)), mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = YEAR
    return response


@page.post("/<int:number>/side/<int:side>/count")
@idempotent
def count(game_id: int, number: int, side: int) -> AnyResponse:
    """Fills a side's table with what was seen, in place of its photos."""
    game, _record = find_round(game_id, number)
    _find(game, number)
    if side >= len(game.sides) or not fill_side(services().store, services().watch, game, number, side):
        abort(409, _("Nothing was seen of that table. Go back to the round."))
    return _to_table(game_id, number, side)


@page.post("/<int:number>/side/<int:side>/outside/<int:place>")
@idempotent
def say_whose(game_id: int, number: int, side: int, place: int) -> AnyResponse:
    """Saves whose cards outside all boxes are; leads back to the table of the side where that was asked."""
    view, whose = _side_of(game_id, number, side), request.form.get("whose", "")
    if place >= len(view.outside) or (whose != NOBODY and whole_number(whose) not in range(len(view.sides))):
        abort(400, _("That answer could not be understood. Go back to the cards and tap one of the answers."))
    change_facts = services().store.rounds.change_facts
    change_facts(view.record.id, lambda facts: set_whose(facts, place, whose), last_seen_change())
    return _to_table(game_id, number, side)


@page.post("/<int:number>/side/<int:side>/set-aside")
@idempotent
def set_aside(game_id: int, number: int, side: int) -> AnyResponse:
    """Lets a side's photos count in place of what was seen."""
    view = _side_of(game_id, number, side)
    services().store.rounds.correct(view.record.id, side, SetAside().model_dump(mode="json"), last_seen_change())
    return _to_table(game_id, number, side)


@page.post("/<int:number>/side/<int:side>/add")
@idempotent
def add(game_id: int, number: int, side: int) -> AnyResponse:
    """Adds the cards that only a photo shows to what was seen."""
    view = _side_of(game_id, number, side)
    shown = view.sides[side]
    photo = next((one for one in shown.photos if one.id == request.form.get("photo", type=int)), None)
    if photo is None or photo.reading is None:
        abort(404, _("This side has no such photo. Go back to its cards."))
    faces = compare(shown.table, parse_reading(photo.reading)).only_photo
    changes = [change.model_dump(mode="json") for change in additions(shown.table, faces, view.rules)]
    if changes:
        services().store.rounds.correct_all(view.record.id, side, changes, last_seen_change())
    return _to_table(game_id, number, side)


def _side_of(game_id: int, number: int, side: int) -> RoundView:
    view = find_view(game_id, number)
    if side >= len(view.sides) or not view.sides[side].table.is_watched:
        abort(409, _("Nothing was seen of that table. Go back to the round."))
    return view


def _to_table(game_id: int, number: int, side: int) -> AnyResponse:
    return redirect(url_for("side.show", game_id=game_id, number=number, side=side), 303)


@page.post("/<int:number>/remove")
def remove(game_id: int, number: int) -> AnyResponse:
    """Removes the pictures of a round and what was seen of it."""
    _find(find_game(game_id), number)
    services().watch.remove(game_id, number)
    flash(_("The pictures of round %(number)s are removed.", number=number), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


def _find(game: GameRecord, number: int) -> Film:
    found = services().watch.film(game, number)
    if found is None:
        abort(404, _("That round was not watched, or its pictures were removed. Go back to the game."))
    return found
