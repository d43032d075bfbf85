"""The list of games, and beginning a new one."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, RuleSet, list_rules, load_rules
from scorer.sheets import SheetError
from webui.house import house
from webui.play import totals
from webui.storage.records import GameRecord, SideRecord

page = Blueprint("home", __name__)

_PAIR_NAMES = ("North–South", "East–West")
_MAX_NAME = 40
_MOST_AT_A_TABLE = 12


@page.get("/")
def show() -> str:
    kept = house()
    listed = [_listed(game) for game in kept.store.games()]
    return render_template(
        "home/games.html", listed=listed, notice=kept.store.notice, new=_new_game(), seating_text=seating_text
    )


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list; ``trouble`` is the sentence why its points cannot be computed, else None."""

    game: GameRecord
    about: str
    sums: tuple[int, ...]
    trouble: str | None = None


def _listed(game: GameRecord) -> Listed:
    """One game that cannot be scored any more must not take the others from the list."""
    try:
        rules = load_rules(game.rules)
        points = totals(game, rules)
    except (RulesError, SheetError) as error:
        return Listed(game, game.rules, (), str(error))
    rounds = rules.rounds_for(game.players)
    finished = " · finished" if len(points) == rounds else ""
    sums = tuple(sum(scored[side] for scored in points.values()) for side in range(len(game.sides)))
    return Listed(game, f"{rules.name} · {len(points)} of {rounds} rounds{finished}", sums)


@page.get("/new")
def new() -> str:
    return _form(_new_game(), None)


@page.post("/new")
def create() -> Response | tuple[str, int]:
    new_game = _new_game()
    sides = []
    for side, seats in enumerate(new_game.seating):
        name = _text(f"side{side}") or new_game.side_name(side)
        players = [_text(f"player{side}.{seat}") or new_game.player_name(side, seat) for seat in range(seats)]
        sides.append(SideRecord(name, tuple(players)))
    if len({side.name.casefold() for side in sides}) < len(sides):
        sentence = "Two sides have the same name; give each its own so that nobody's points get mixed up."
        return _form(new_game, sentence), 400
    game_id = house().store.add_game(new_game.rules.id, new_game.players, sides)
    return redirect(url_for("game.show", game_id=game_id), 303)


@dataclass(frozen=True, slots=True)
class NewGame:
    """The form of a new game: whatever was asked for, made to fit the rules.

    ``seating`` is the number of players of each side, ``seatings`` every way to seat so many players.
    """

    all_rules: tuple[RuleSet, ...]
    rules: RuleSet
    players: int
    seating: tuple[int, ...]

    @property
    def player_counts(self) -> tuple[int, ...]:
        return player_counts(self.rules)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.sides_for(self.players)

    def side_name(self, side: int) -> str:
        """What a side is called when nobody says otherwise."""
        if max(self.seating) == 1:
            return f"Player {side + 1}"
        return _PAIR_NAMES[side] if len(self.seating) == 2 else f"Team {side + 1}"

    def player_name(self, side: int, seat: int) -> str:
        if self.seating == (2, 2):
            return self.side_name(side).split("–")[seat]
        return self.side_name(side) if self.seating[side] == 1 else f"Player {seat + 1}"


def player_counts(rules: RuleSet) -> tuple[int, ...]:
    """How many can play under the rules, as far as a table has room."""
    return tuple(count for count in range(2, _MOST_AT_A_TABLE + 1) if rules.sides_for(count))


def seating_text(seating: tuple[int, ...]) -> str:
    """``2 sides of 2``, ``4 players, each alone``."""
    if max(seating) == 1:
        return f"{len(seating)} players, each alone"
    if len(set(seating)) == 1:
        return f"{len(seating)} sides of {seating[0]}"
    return "sides of " + " and ".join(str(size) for size in seating)


def _new_game() -> NewGame:
    """The form as the request asks for it; what the rules do not allow falls back to what they do."""
    wanted = request.values
    known = tuple(load_rules(rules_id) for rules_id in list_rules())
    try:
        rules = load_rules(wanted.get("rules") or house().settings.rules)
    except RulesError:
        rules = known[0]
    counts = player_counts(rules)
    players = wanted.get("players", 0, type=int)
    if players not in counts:
        players = 4 if 4 in counts else counts[0]
    ways = rules.sides_for(players)
    way = wanted.get("seating", 0, type=int)
    return NewGame(known, rules, players, ways[way] if 0 <= way < len(ways) else ways[0])


def _form(new_game: NewGame, sentence: str | None) -> str:
    return render_template(
        "home/new.html", new=new_game, chosen=request.values, seating_text=seating_text, sentence=sentence
    )


def _text(name: str) -> str:
    return " ".join(request.form.get(name, "").split())[:_MAX_NAME]
