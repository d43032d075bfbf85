"""A new deck of the household: what is to be shown of it, what kind of cards it is, what it is called."""

from __future__ import annotations

import itertools

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import load_deck, shipped_decks
from scorer.deck_profile import ProfileFields
from scorer.errors import DeckError
from webui.context.guard.idempotency import idempotent
from webui.context.services import services
from webui.decks.in_play import about_deck, name_of_deck
from webui.decks.picture_cards import picture_cards
from webui.decks.typed_faces import typed_profile
from webui.translation import _
from webui.wording import tidy

page = Blueprint("new_deck", __name__, url_prefix="/decks/new")

_TYPED = "typed"
"""The kind of a deck whose faces are typed."""


@page.get("")
def show() -> str:
    """The form of a new deck."""
    return _form(None)


@page.post("")
@idempotent
def create() -> Response | tuple[str, int]:
    """Makes a deck of which no picture is there yet; leads on to its photos."""
    form = request.form
    just_jokers, kind = form.get("what") == "jokers", form.get("kind", "standard")
    try:
        profile: str | ProfileFields = kind
        if kind == _TYPED:
            profile = typed_profile(form.get("faces", ""), form.get("copies", 1, type=int))
        elif kind not in shipped_decks():
            raise DeckError(_("Choose what kind of cards they are."))
    except DeckError as error:
        return _form(str(error)), 400
    decks, name = services().decks, tidy(form.get("name", ""))
    if name and decks.has_name(name):
        return _form(_("You have cards called “%(deck)s” already. Type another name.", deck=name)), 409
    usual = _("Our jokers") if just_jokers else _("Our cards")
    numbered = (f"{usual} {number}" for number in itertools.count(2))
    free = next(one for one in itertools.chain([usual], numbered) if not decks.has_name(one))
    try:
        deck = decks.add(name or free, profile)
    except DeckError:
        return _form(_("There are as many decks as fit. Remove one for good, then try again.")), 409
    if just_jokers and not picture_cards(deck.profile):
        just_jokers = False
    services().lessons.begin(deck.id, just_jokers)
    return redirect(url_for("teach.show", deck_id=deck.id), 303)


def _form(sentence: str | None) -> str:
    kinds = [(id, name_of_deck(id), load_deck(id)) for id in ("standard", "remastered", "hand-n-foot")]
    return render_template("new_deck/new.html", kinds=kinds, about_deck=about_deck, typed=_TYPED, sentence=sentence)
