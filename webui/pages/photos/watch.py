"""Watching the table while a round is played: switching it on and off, whose half is which, and what was seen."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response

from scorer.rules import load_rules
from webui.access.addresses import referring_page
from webui.context.lookups import find_game, find_progress
from webui.context.once import once
from webui.context.responses.photo_responses import YEAR, missing_photo
from webui.context.services import services
from webui.context.visitor import visitor_name
from webui.decks.in_play import deck_in_play
from webui.reading.reader_service import house_rules
from webui.reading.zones import HALVES
from webui.storage.records import GameRecord
from webui.translation import _
from webui.watching.film import Film
from webui.watching.table_watch import WatchError
from webui.watching.told import told

page = Blueprint("watch", __name__, url_prefix="/game/<int:game_id>/watch")


@page.get("/")
def show(game_id: int) -> str:
    """The round that is watched or was watched last, and whose half of the picture is which."""
    progress = find_progress(game_id)
    game, watch = progress.game, services().watch
    films = watch.films(game)
    return render_template(
        "watch/watch.html",
        game=game,
        rules=progress.rules,
        number=progress.next_round,
        film=films[-1] if films else None,
        now=watch.now if watch.now and watch.now.game == game_id else None,
        films=films,
        halves=HALVES,
        has_camera=services().camera.is_there,
        **services().camera.in_use(),
    )


@page.post("/start")
@once
def start(game_id: int) -> Response:
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
def stop(game_id: int) -> Response:
    """Ends watching, wherever the button was pressed."""
    find_game(game_id)
    now = services().watch.now
    if now is not None and now.game == game_id:
        services().watch.stop()
    return redirect(referring_page() or url_for(".show", game_id=game_id), 303)


@page.post("/<int:number>/half")
def set_half(game_id: int, number: int) -> Response:
    """Saves which half of the picture is the first side's; it holds for the evening."""
    found = _find(find_game(game_id), number)
    half = request.form.get("half")
    if half not in HALVES:
        abort(400, _("That is no half of the picture. Go back and tap one."))
    services().watch.set_half(found, half)
    return redirect(url_for(".show", game_id=game_id), 303)


@page.get("/<int:number>/film")
def film(game_id: int, number: int) -> str:
    """Every change of a watched round with its picture."""
    game = find_game(game_id)
    found, rules = _find(game, number), load_rules(game.rules)
    house = house_rules(rules, game.players, deck_in_play(game.decks, rules))
    return render_template("watch/film.html", game=game, film=found, changes=told(found, rules, house))


@page.get("/<int:number>/picture/<int:picture>.jpg")
def picture(game_id: int, number: int, picture: int) -> Response:
    """The small picture of a change."""
    found = _find(find_game(game_id), number)
    path = services().watch.files.picture(game_id, number, picture)
    if not path.exists():
        width, height = found.shots[0].size if found.shots else (960, 540)
        return missing_photo(width, height)
    response = send_file(path, mimetype="image/jpeg", max_age=YEAR)
    response.cache_control.public = False  # a cache on the way would keep the picture of a home
    response.cache_control.private = True
    return response


@page.post("/<int:number>/remove")
def remove(game_id: int, number: int) -> Response:
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
