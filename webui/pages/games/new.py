"""Starting a game: rules, number of players, sides and names; people of earlier games are suggested."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.errors import DeckError
from scorer.rules import RuleSet, load_rules
from webui.context.choices import chosen, chosen_number
from webui.context.lookups import requested_new_game
from webui.context.once import once
from webui.context.services import services
from webui.context.visitor import known_names
from webui.decks.in_play import about_deck, checked_ids, name_of_deck, offered_decks, refused_by, suggested_decks
from webui.games.names import name_error
from webui.games.new_game import NewGame, seating_text
from webui.games.rule_choice import offered_names, offered_rules
from webui.settings import DEFAULT_RULES
from webui.translation import _
from webui.wording import tidy

page = Blueprint("new", __name__)


@page.get("/new")
def show() -> str:
    """The form of a new game."""
    return _form(requested_new_game(), None)


@page.post("/new")
@once
def create() -> Response | tuple[str, int]:
    """Starts the game of the form."""
    new_game = requested_new_game()
    _require_as_said(new_game)
    sides = new_game.sides({key: tidy(value) for key, value in request.form.items()})
    sentence = name_error(sides)
    if sentence:
        return _form(new_game, sentence), 400
    table, decks = services().settings.table, _decks(new_game.rules)
    if decks is None:
        return _form(new_game, _("Check one to six kinds of cards that these rules are played with.")), 400
    store = services().store
    game_id = store.add_game(new_game.rules.id, new_game.players, sides, at_table=table, decks=decks)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _require_as_said(new_game: NewGame) -> None:
    """Answers 400 where the form names rules, players or a seating that cannot be, for which others would be taken."""
    chosen("rules", (new_game.rules.id,), unsaid=new_game.rules.id)
    chosen("players", (str(new_game.players),), unsaid=str(new_game.players))
    chosen("seats", (",".join(map(str, new_game.seating)),), unsaid=",".join(map(str, new_game.seating)))
    chosen_number("seating", range(len(new_game.seatings)), unsaid=0)


@page.post("/practice")
@once
def practice() -> Response:
    """Starts a game with the practice cards, and its first round."""
    rules = load_rules(DEFAULT_RULES)
    game = NewGame(rules, 4, rules.sides_for(4)[0])
    store = services().store
    game_id = store.add_game(rules.id, 4, game.sides({}), at_table=services().settings.table, practice=True)
    store.rounds.begin(game_id, 1)
    return redirect(url_for("round.show", game_id=game_id, number=1), 303)


def _decks(rules: RuleSet) -> tuple[str, ...] | None:
    """The decks of the form; those that the rules suggest where it does not ask; None if they cannot be in play."""
    if "deck" not in request.form and "asks-decks" not in request.form:
        suggested = suggested_decks(rules, services().decks.all())
        return () if suggested == (rules.deck,) else suggested
    try:
        ids = checked_ids(tuple(dict.fromkeys(request.form.getlist("deck"))))
    except DeckError:
        return None
    return None if refused_by(rules, ids) else ids


def _form(new_game: NewGame, sentence: str | None) -> str:
    own = services().decks.all()
    return render_template(
        "new/new.html",
        offered=offered_decks(new_game.rules, own),
        chosen_decks=request.form.getlist("deck") or suggested_decks(new_game.rules, own),
        name_of_deck=name_of_deck,
        about_deck=about_deck,
        new=new_game,
        rule_names=offered_names(offered_rules()),
        people=known_names(),
        chosen=request.values,
        seating_text=seating_text,
        sentence=sentence,
    )
