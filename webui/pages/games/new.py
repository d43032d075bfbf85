"""Starting a game: who plays, by which rules, on which sides; people of earlier games are suggested."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.errors import DeckError
from scorer.rules import RuleSet, list_rules, load_rules
from vision.images.sandbox import shared_decoder
from webui.context.choices import chosen, chosen_number
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import requested_new_game
from webui.context.services import services
from webui.context.visitor import known_names
from webui.decks.examples import add_example, example_kinds
from webui.decks.in_play import about_deck, checked_ids, name_of_deck, offered_decks, refused_by, suggested_decks
from webui.games.names import is_placeholder, name_error, sides_in
from webui.games.new_game import NewGame, can_seat, player_counts, seating_text
from webui.games.rule_choice import book_worth, for_whom, in_brief, offered_names, offered_rules, rules_for
from webui.settings import DEFAULT_RULES
from webui.translation import _
from webui.wording import listed, one_of, tidy

page = Blueprint("new", __name__)

_MOST_NAMES = 24
"""That go along to another page; a game has fewer players."""


@page.get("/new")
def show() -> str:
    """The form of a new game, for the names that the query may hold."""
    new_game = requested_new_game()
    return _form(new_game, _too_many_or_few(new_game), request.args.get("names", ""))


@page.post("/new")
@idempotent
def create() -> Response | tuple[str, int]:
    """Starts the game of the form; leads to the choice of rules where that is wanted or the names need it."""
    new_game, named = requested_new_game(), sides_in(request.form.get("names", ""))
    names, sizes = [name for side in named for name in side], tuple(map(len, named))
    asked = chosen("rules", list_rules(), unsaid=new_game.rules.id)
    if names and (asked != new_game.rules.id or not can_seat(new_game.rules, sizes)):
        return _choose(named, rules=asked)
    _require_as_said(new_game, len(names))
    if chosen("choose", ("yes", "no"), unsaid="no") == "yes":
        return _choose(named, rules=asked, players=new_game.players, seats=",".join(map(str, new_game.seating)))
    typed = {key: tidy(value) for key, value in request.form.items()}
    sides = new_game.sides(typed | (new_game.fields_of(names) if names else {}))
    players = [player for side in sides for player in side.players]
    shown = request.form.get("names", "") if names or all(map(is_placeholder, players)) else "\n".join(players)
    sentence = name_error(sides)
    if sentence:
        return _form(new_game, sentence, shown), 400
    table, decks = services().settings.table, _decks(new_game.rules)
    if decks is None:
        return _form(new_game, _("Check one to six kinds of cards that these rules are played with."), shown), 400
    store = services().store
    game_id = store.add_game(new_game.rules.id, new_game.players, sides, at_table=table, decks=decks)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _choose(named: list[list[str]], **fields: Any) -> Response:
    """Leads to the form of a new game, with the names of each side and what was chosen already."""
    names = "\nvs\n".join("\n".join(side[:_MOST_NAMES]) for side in named[:_MOST_NAMES])
    return redirect(url_for("new.show", **fields, names=names or None), 303)


def _too_many_or_few(new_game: NewGame) -> str | None:
    """What is said where the rules that were asked for do not seat those who were named; None where they do."""
    sizes, asked = tuple(map(len, sides_in(request.args.get("names", "")))), request.args.get("rules", "")
    number = sum(sizes)
    if not number:
        return None
    if number == 1:
        return _("That is one name, and it takes two to play. Type each name on a line of its own.")
    if new_game.players != number:
        return _("That is too many names: a game is for 12 players at most. Take some out.")
    rules = load_rules(asked) if asked in list_rules() else new_game.rules
    if can_seat(rules, sizes):
        return None
    if ways := rules.sides_for(number):
        return _(
            "You typed %(typed)s, and %(rules)s is for %(ways)s. Choose other rules, or change the names.",
            rules=rules.name,
            ways=one_of(seating_text(way, rules) for way in ways),
            typed=seating_text(sizes),
        )
    return _(
        "%(rules)s is for %(counts)s players, and you are %(number)s. Choose other rules, or change the names.",
        rules=rules.name,
        counts=listed(map(str, player_counts(rules))),
        number=number,
    )


def _require_as_said(new_game: NewGame, named: int) -> None:
    """Answers 400 where the form names rules, players or a seating that cannot be, for which others would be taken.

    With names, as many play as there are, whatever number the form had before they were typed.
    """
    chosen("rules", (new_game.rules.id,), unsaid=new_game.rules.id)
    if named and request.form.get("players") != str(named):
        return
    chosen("players", (str(new_game.players),), unsaid=str(new_game.players))
    chosen("seats", (",".join(map(str, new_game.seating)),), unsaid=",".join(map(str, new_game.seating)))
    chosen_number("seating", range(len(new_game.seatings)), unsaid=0)


@page.post("/practice")
@idempotent
def practice() -> Response:
    """Starts a game with the practice cards, or those of an example deck, and its first round."""
    rules, decks, samples = load_rules(DEFAULT_RULES), tuple[str, ...](), services().settings.samples
    if kind := chosen("example", ["", *example_kinds(samples)], unsaid=""):
        try:
            decks = (add_example(services().decks, samples, kind, shared_decoder().decode),)
        except DeckError:
            flash(_("There are as many decks as fit. Remove one for good, then try again."))
            return redirect(url_for("decks.show"), 303)
        rules = rules_for(decks[0], rules) or rules
        services().reader.renew()
        services().learning.catch_up()
    game = NewGame(rules, 4, rules.sides_for(4)[0])
    store, table = services().store, services().settings.table
    game_id = store.add_game(rules.id, 4, game.sides({}), at_table=table, practice=True, decks=decks)
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


def _form(new_game: NewGame, sentence: str | None, names: str) -> str:
    own, sizes, rule_sets = services().decks.all(), tuple(map(len, sides_in(names))), offered_rules()
    fitting = [rules for rules in rule_sets if can_seat(rules, sizes)]
    return render_template(
        "new/new.html",
        offered=offered_decks(new_game.rules, own),
        chosen_decks=request.values.getlist("deck") or suggested_decks(new_game.rules, own),
        name_of_deck=name_of_deck,
        about_deck=about_deck,
        new=new_game,
        choices=fitting or rule_sets,
        rule_names=offered_names(fitting or rule_sets),
        for_whom=for_whom,
        book_worth=book_worth,
        in_brief=in_brief,
        people=known_names(),
        names=names,
        sides_said=len(sizes) > 1,
        seating_text=seating_text,
        sentence=sentence,
    )
