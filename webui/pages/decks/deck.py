"""One deck of the household: its faces as pictures, what is missing, and the games that may be played with it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, session, url_for
from werkzeug.wrappers import Response

from scorer.errors import DeckError
from scorer.faces import Face, FaceError
from scorer.rules import RulesError, load_rules
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import find_deck, requested_new_game
from webui.context.responses.card_pictures import picture_of
from webui.context.services import services
from webui.decks.in_play import MOST_IN_PLAY, lacks_cards, refused_by, suggested_decks
from webui.decks.learning import progress_text
from webui.decks.learnt import read_learnt
from webui.decks.picture_cards import picture_cards
from webui.decks.taught import Picture, TaughtDeck
from webui.games.rule_choice import rules_for
from webui.storage.files.learnt_files import DeckTest
from webui.storage.records import GameRecord
from webui.translation import _

page = Blueprint("deck", __name__, url_prefix="/decks/<deck_id>")

_REMOVED = "removed-picture"
"""The key in the visitor's session of the picture that was just removed: deck, face and number."""
_MOST_GAMES = 4
"""So many of the latest games are offered."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that may be played with a deck: ``decks`` are those in play with it among them, or as they are."""

    game: GameRecord
    decks: tuple[str, ...]
    plays: bool


@page.get("/")
def show(deck_id: str) -> str:
    """The deck's faces as pictures."""
    deck, learnt = find_deck(deck_id), read_learnt(services().settings.data_dir)
    lesson, state = services().lessons.of(deck_id), services().learning.state()
    removed = session.pop(_REMOVED, None)
    return render_template(
        "deck/deck.html",
        deck=deck,
        read=_read(deck, learnt.tests.get(deck_id, DeckTest())) if learnt is not None and learnt.covers(deck) else None,
        lacks_cards=lacks_cards(deck),
        versions={one: one.path.stat().st_mtime_ns % 10**9 for one in deck.pictures if one.path.exists()},
        has_jokers=bool(picture_cards(deck.profile)),
        under_way=len(lesson.photos),
        learned_from=len(services().looks.with_deck(deck_id)[0]),
        offers=_offers(deck) if deck.pictures else [],
        removed=removed if isinstance(removed, list) and removed[:1] == [deck_id] else None,
        learning=state,
        progress=progress_text(state),
        to_learn=services().learning.is_behind(),
        new_game=_new_game(deck) if deck.pictures else None,
    )


@page.get("/face/<face>/<int:variant>")
def look(deck_id: str, face: str, variant: int) -> str:
    """One picture, to look at or to remove."""
    deck = find_deck(deck_id)
    return render_template("deck/picture.html", deck=deck, picture=_picture(deck, face, variant))


@page.get("/face/<face>/<int:variant>.webp")
def picture(deck_id: str, face: str, variant: int) -> Response:
    """The file of a picture; with ``w``, of about that width."""
    return picture_of(_picture(find_deck(deck_id), face, variant).path)


@page.post("/face/<face>/<int:variant>/remove")
@idempotent
def remove_picture(deck_id: str, face: str, variant: int) -> Response:
    """Removes a picture; it can be put back."""
    found = _picture(find_deck(deck_id), face, variant)
    services().decks.remove_picture(deck_id, found.face, variant)
    session[_REMOVED] = [deck_id, str(found.face), variant]
    return redirect(url_for(".show", deck_id=deck_id), 303)


@page.post("/face/<face>/<int:variant>/put-back")
@idempotent
def put_picture_back(deck_id: str, face: str, variant: int) -> Response:
    """Undoes the removal of a picture."""
    find_deck(deck_id)
    try:
        is_back = services().decks.put_picture_back(deck_id, Face.parse(face), variant)
    except FaceError:
        is_back = False
    if is_back:
        flash(_("The picture is back."), "good")
    else:
        flash(_("This picture can’t be put back any more. Take a new photo of the card."))
    return redirect(url_for(".show", deck_id=deck_id), 303)


def _read(deck: TaughtDeck, test: DeckTest) -> dict[str, list[Picture]]:
    """The pictures by how well their cards are read, as the test on drawn tables ended: well, to check, to type."""
    found: dict[str, list[Picture]] = {"type": [], "check": [], "well": []}
    for picture in deck.pictures:
        name = str(picture.face)
        found["type" if name in test.type else "check" if name in test.check else "well"].append(picture)
    return found


def _new_game(deck: TaughtDeck) -> str | None:
    """The address of the form of a new game with the deck, by rules for such cards; None where no rules take it."""
    rules = rules_for(deck.id, requested_new_game().rules)
    if rules is None:
        return None
    suggested = suggested_decks(rules, services().decks.all())
    decks = suggested if deck.id in suggested else [*([rules.deck] if deck.missing else []), deck.id]
    return url_for("new.show", rules=rules.id, deck=decks)


def _offers(deck: TaughtDeck) -> list[Offer]:
    """The latest games that are going on and may be played with the deck."""
    offers: list[Offer] = []
    for game in services().store.games():
        if len(offers) == _MOST_GAMES:
            break
        if game.practice or game.state in ("ended", "removed"):
            continue
        try:
            rules = load_rules(game.rules)
            if refused_by(rules, [deck.id]):
                continue
        except (RulesError, DeckError):
            continue
        now = game.decks or (rules.deck,)
        if deck.id in now:
            offers.append(Offer(game, now, True))
            continue
        # a whole deck of one's own takes the place of its kind
        kept = now if deck.missing else tuple(id for id in now if id != deck.profile.id)
        if len(kept) < MOST_IN_PLAY:
            offers.append(Offer(game, (*kept, deck.id), False))
    return offers


def _picture(deck: TaughtDeck, face: str, variant: int) -> Picture:
    found = next((one for one in deck.pictures if str(one.face) == face and one.variant == variant), None)
    if found is None:
        abort(404, _("This picture is gone. Go back to the deck."))
    return found
