"""What agreed rounds taught the table of a deck's cards, and having that forgotten."""

from __future__ import annotations

from collections import Counter

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.deck import load_deck, own_decks, shipped_decks
from scorer.deck_profile import DeckProfile
from vision.looks.looks import NO_INDEX
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.lookups import find_deck
from webui.context.services import services
from webui.decks.in_play import name_of_deck
from webui.storage.errors import advice, reason
from webui.translation import _
from webui.whole_numbers import whole_number

page = Blueprint("learned", __name__, url_prefix="/decks/<deck_id>/rounds")

_ENOUGH = 4
"""A rank is known from so many printed indices on."""
_LAST_ROUNDS = 3


@page.get("")
def show(deck_id: str) -> str:
    """What was learned, from which rounds."""
    deck = _find(deck_id)
    known, set_aside = services().looks.with_deck(deck_id)
    seen = Counter(
        looks.ranks[label]
        for one in known
        for looks in [one.taught.looks]
        for label in looks.labels.tolist()
        if label != NO_INDEX
    )
    ranks = list(dict.fromkeys(face.rank for face in deck.faces))
    asked = sum((Counter(one.taught.asked) for one in known[:_LAST_ROUNDS]), Counter[str]())
    return render_template(
        "deck/learned.html",
        deck_id=deck_id,
        name=name_of_deck(deck_id),
        is_own=deck_id not in shipped_decks(),
        known=known,
        came_with=services().looks.came_with(deck_id),
        set_aside=set_aside,
        well=[deck.plural(rank) for rank in ranks if seen[rank] >= _ENOUGH],
        too_few=[deck.plural(rank) for rank in ranks if seen[rank] < _ENOUGH],
        last=min(len(known), _LAST_ROUNDS),
        asked=[f"{deck.plural(rank)} ({asked[rank]})" for rank in ranks if asked[rank]],
    )


@page.post("/forget")
@keeper
@idempotent
def forget(deck_id: str) -> Response:
    """Forgets what one round taught, all rounds with these cards, or all rounds there are."""
    _find(deck_id)
    what = request.form.get("what", "")
    number = whole_number(what)
    if number is None and what not in ("all", "deck"):
        abort(400, _("It is not clear what to forget. Go back and press the button again."))
    gone = None if what == "all" else services().looks.ids_with(deck_id) if what == "deck" else [number or 0]
    try:
        services().looks.forget(gone)
        if number is None:
            services().looks.forget_what_came_with(own_decks() if what == "all" else [deck_id])
    except OSError as error:
        flash(_("It could not be forgotten: %(why)s; %(advice)s.", why=reason(error), advice=advice(error)))
    else:
        flash(_("The round is forgotten.") if number else _("The rounds are forgotten."), "good")
    return redirect(url_for(".show", deck_id=deck_id), 303)


def _find(deck_id: str) -> DeckProfile:
    if deck_id not in shipped_decks():
        find_deck(deck_id)
    return load_deck(deck_id)
