"""One side's cards: its photos with every card outlined, the groups of cards, and sending or taking photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import load_rules
from vision.errors import PhotoError, VisionError
from vision.values import Frame
from webui.context.choices import chosen_player
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import has_access
from webui.context.lookups import find_round, find_side, find_view, last_seen_change
from webui.context.practice import practice_file, practice_photo
from webui.context.responses.photo_submission import go_to, submit_photos
from webui.context.services import services
from webui.corrections.answers import TABLE, facts_of, set_nothing
from webui.corrections.asked import GATHERED, likely_faces, may_be_counted_twice
from webui.corrections.loose import by_rank, places_for
from webui.corrections.side_table import left_id
from webui.decks.in_play import Unread, unread
from webui.games.seating import sides_now
from webui.pages.rounds.step_page import render_step, step_url
from webui.reading import camera_jpegs
from webui.reading.photo_jobs import PhotoTarget, sentence_of
from webui.reading.reader_service import house_rules
from webui.reading.zones import Zones, has_two_zones, load_zones
from webui.rounds.attention import BrokenRule, broken_rules
from webui.rounds.overlay.outlines import outlines
from webui.rounds.overlay.tags import CLOSE_WIDTHS, names
from webui.rounds.pile_form import pile_questions
from webui.rounds.round_view import RoundView, SideView, is_changed
from webui.rounds.steps import next_step, step_at, steps_of
from webui.rounds.stored_reading import parse_reading
from webui.rounds.watched import Comparison, compare
from webui.storage.records import PhotoRecord, RoundRecord
from webui.translation import _, ngettext
from webui.watching.film import Film, Outline
from webui.watching.outside import lying_now
from webui.wording import photo_name

page = Blueprint("side", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")


@page.get("/")
def show(game_id: int, number: int, side: int) -> str:
    """The cards on the table."""
    return _show(game_id, number, side, left=False)


@page.get("/left")
def left(game_id: int, number: int, side: int) -> str:
    """What the side's players have left in hand and foot."""
    return _show(game_id, number, side, left=True)


def _show(game_id: int, number: int, side: int, left: bool) -> str:
    view, side_view = find_side(game_id, number, side)
    film = services().watch.film(view.game, number) if has_access() else None
    return render_step(
        "side/side.html",
        view,
        "left" if left else "table",
        side,
        side=side_view,
        left=left,
        here=view.url_values(side),
        drawn={photo.id: outlines(side_view.table, photo) for photo in side_view.photos},
        names=names,
        by_rank=by_rank,
        places_for=places_for,
        likely_faces=likely_faces,
        may_be_counted_twice=may_be_counted_twice,
        broken=_broken(side_view, view, left),
        questions={pile.id: pile_questions(view, pile, ask_rank=False) for pile in side_view.uncounted},
        lit=[card.id for card in side_view.table.gathered(left)] if request.args.get("lit") == GATHERED else (),
        advice={photo.id: _advice(photo) for photo in side_view.photos},
        remarks=_remarks(side_view),
        compared=_compared(side_view),
        film=film,
        lying=_lying(view, film, side),
        changed=is_changed(view, side, "left" if left else "table"),
        unread=_unread(view) if not side_view.photos else Unread(),
        has_camera=services().camera.is_there,
        has_practice=partial(_has_practice, view),
        whole=has_two_zones(load_zones(services().settings.data_dir), view.game) and not view.game.practice,
    )


def _broken(side: SideView, view: RoundView, left: bool) -> list[BrokenRule]:
    """The first rule that each group of the page breaks, but for those that are asked about anyway."""
    doubted = [group.id for group in side.table.groups if group.doubt]
    found = broken_rules(side, view.rules, doubted)
    firsts = {one.group.id: one for one in reversed(found) if one.group and (one.group.kind == "left") == left}
    return [one for one in found if one in firsts.values()]


def _has_practice(view: RoundView, side: int, player: int | None) -> bool:
    """Whether there are practice cards of a place that has no photo yet."""
    try:
        return view.game.practice and practice_photo(view.game, side, _hand(view.record, side, player)) is not None
    except PhotoError:
        return False


def _lying(view: RoundView, film: Film | None, side: int) -> list[Outline]:
    """The outlines of a side's cards in the last picture of a watched round."""
    if film is None or film.last is None:
        return []
    return lying_now(film, house_rules(view.rules, view.game.players, view.deck), side)


def _unread(view: RoundView) -> Unread:
    """The decks in play that the camera cannot read yet."""
    if view.game.practice and not view.game.decks:
        return Unread()
    return unread(view.game.decks or (view.rules.deck,), services().decks, services().learning.state())


@page.get("/photo/<int:photo_id>")
def look(game_id: int, number: int, side: int, photo_id: int) -> str:
    """A photo alone, to look at closely: as large as the window, and larger."""
    view = find_view(game_id, number)
    photo = next((photo for one in view.sides[side : side + 1] for photo in one.photos if photo.id == photo_id), None)
    if photo is None:
        abort(404, _("This side has no such photo. Go back to its cards."))
    side_view = view.sides[side]
    return render_template(
        "side/look.html",
        view=view,
        side=side_view,
        here=view.url_values(side),
        photo=photo,
        drawn={photo.id: outlines(side_view.table, photo)},
        named=partial(names, side_view.table.groups, photo, side_view, CLOSE_WIDTHS),
        lit=(),
    )


@page.post("/nothing")
def save_nothing(game_id: int, number: int, side: int) -> Response:
    """Saves that a side has nothing on the table, or a player nothing left; leads on to the next step."""
    target = _target_of(game_id, number, side)
    where = TABLE if target.player is None else left_id(target.player)
    services().store.rounds.change_facts(
        target.record.id, lambda facts: set_nothing(facts, side, where), last_seen_change()
    )
    view = find_view(game_id, number)
    steps = steps_of(view)
    here = step_at(steps, "table" if target.player is None else "left", side)
    return redirect(step_url(view, here if not here.done else next_step(steps, here)), 303)


@page.post("/photos")
@idempotent
def send_photos(game_id: int, number: int, side: int) -> Response:
    """Submits the photos of the form. One that cannot be read gets its sentence, and the others still count."""
    target = _target_of(game_id, number, side)
    files = [file for file in request.files.getlist("photos") if file.filename]
    if not files:
        flash(_("No photo was chosen. Choose one or more and try again."))
        return go_to(_page_of(target))

    sent = ((file.read(), photo_name(file.filename or "")) for file in files)
    return submit_photos(request.content_length or 0, _page_of(target), "sent", target.about, sent)


@page.post("/shoot")
@idempotent
def take_picture(game_id: int, number: int, side: int) -> Response:
    """Takes a picture with the attached camera and submits it."""
    target, zones = _target_of(game_id, number, side), load_zones(services().settings.data_dir)
    shared = has_two_zones(zones, target.game)
    if "whole" in request.form and shared:
        return _take_whole_picture(target, zones)
    try:
        left = target.player is not None
        if not shared:
            zones = replace(zones, first=None)
        if target.game.practice:
            file = practice_file(target.game, side, _hand(target.record, side, target.player))
            data = file.read_bytes()  # read as it is: to encode it anew would blur its small print
            return submit_photos(len(data), _page_of(target), "sent", target.about, [(data, file.name)])
        frames = services().camera.capture(lambda table: zones.part(table, side, left))
    except VisionError as error:
        flash(sentence_of(error))
        return go_to(_page_of(target))

    return _submit_frames(target, "shot", target.about, frames)


def _hand(record: RoundRecord, side: int, player: int | None) -> int | None:
    """Which of the side's hands of cards left a player's is, that of who went out left out; None for the table."""
    out = facts_of(record.facts, side).out_player
    return None if player is None else player - (out is not None and out < player)


def _take_whole_picture(target: PhotoTarget, zones: Zones) -> Response:
    """Takes one picture of both sides' cards, which is split by zone."""
    try:
        frames = services().camera.capture_table()
    except VisionError as error:
        flash(sentence_of(error))
        return go_to(_page_of(target))
    about = {**target.about, "zones": asdict(zones)}
    return _submit_frames(target, "shot-whole", about, frames)


def _submit_frames(target: PhotoTarget, kind: str, about: dict[str, Any], frames: Sequence[Frame]) -> Response:
    return submit_photos(
        camera_jpegs.estimated_size(frames), _page_of(target), kind, about, camera_jpegs.encode_frames(frames)
    )


@page.post("/photo/<int:photo_id>/read")
@idempotent
def read_again(game_id: int, number: int, side: int, photo_id: int) -> Response:
    """Submits a photo that was stored when the reader could not be loaded."""
    target = _target_of(game_id, number, side)
    if not any(photo.id == photo_id and photo.side == side for photo in target.record.photos):
        abort(404, _("This side has no such photo. Go back to its cards."))
    return submit_photos(0, _page_of(target), "again", {**target.about, "photo": photo_id})


def _target_of(game_id: int, number: int, side: int) -> PhotoTarget:
    game, record = find_round(game_id, number)
    if side >= len(game.sides):
        abort(404, _("This game has no such side. Go back to the round."))
    player = chosen_player(len(sides_now(game, record)[side].players))
    return PhotoTarget(game, record, load_rules(game.rules), side, player)


def _page_of(target: PhotoTarget) -> str:
    """The page of the photos' cards. The first player's cards are seen without an anchor, and the steps above them."""
    step = "side.show" if target.player is None else "side.left"
    anchor = f"player{target.player}" if target.player else None
    return url_for(step, game_id=target.game.id, number=target.record.number, side=target.side, _anchor=anchor)


def _advice(photo: PhotoRecord) -> list[str]:
    """Sentences on how to take a photo better, for one in which cards were read."""
    reading = photo.reading
    return [notice["message"] for notice in reading["warnings"]] if reading and reading["cards"] else []


def _compared(side: SideView) -> dict[int, Comparison]:
    """Each photo of a watched table that was read, by its id, compared with what was seen."""
    if not side.table.is_watched:
        return {}
    photos = (photo for photo in side.photos if photo.player is None and photo.reading)
    return {photo.id: compare(side.table, parse_reading(photo.reading)) for photo in photos if photo.reading}


def _remarks(side: SideView) -> dict[int, list[str]]:
    """Sentences about each photo by its id: not read, no cards, cards that another photo shows too."""
    remarks: dict[int, list[str]] = {}
    for photo in side.photos:
        if photo.reading is None:
            remarks[photo.id] = [_("This photo has not been read yet.")]
            continue
        sentences = []
        if not photo.reading["cards"]:
            sentences = [notice["message"] for notice in photo.reading["warnings"]] or [
                _("No cards found in this photo. Take it again, closer and in better light, or add the cards by hand.")
            ]
        if duplicates := side.table.duplicates.get(photo.id):
            sentence = ngettext(
                "One of these cards is also in an earlier photo, and counted there.",
                "%(num)s of these cards are also in an earlier photo, and counted there.",
                duplicates,
            )
            sentences.append(sentence)
        remarks[photo.id] = sentences
    return remarks
