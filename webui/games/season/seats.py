"""The form that seats people anew for another game by the same rules: who is there, and where each of them sits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer.rules import RuleSet
from webui.games.names import has_own_name, is_placeholder
from webui.games.new_game import player_counts
from webui.games.season.next_game import History, proposals
from webui.games.seating import floater_seat, floater_side
from webui.storage.records import GameRecord
from webui.translation import _, ngettext
from webui.wording import name_key

_MAX_PEOPLE = 24


@dataclass(frozen=True, slots=True)
class NewSeats:
    """People in the order in which they sit, side by side, and then those who sit out.

    ``people`` are all who are there, in an order that stays; ``order`` are their indices as they sit.
    """

    people: tuple[str, ...]
    order: tuple[int, ...]
    seating: tuple[int, ...]
    floating: int | None

    @property
    def sides(self) -> list[list[int]]:
        """The places in ``order`` of the players of each side."""
        starts = [sum(self.seating[:side]) for side in range(len(self.seating))]
        return [list(range(start, start + size)) for start, size in zip(starts, self.seating, strict=True)]

    @property
    def out(self) -> range:
        """The places in ``order`` of those who sit out."""
        return range(sum(self.seating), len(self.order))

    def name(self, place: int) -> str:
        """Who sits at a place of ``order``."""
        return self.people[self.order[place]]

    def swapped(self, one: int, other: int) -> NewSeats:
        """The seats after two people have changed places; the same where one of the places does not exist."""
        if not (0 <= one < len(self.order) and 0 <= other < len(self.order)):
            return self
        order = list(self.order)
        order[one], order[other] = order[other], order[one]
        return NewSeats(self.people, tuple(order), self.seating, self.floating)

    def together(self, side: int, past: History) -> str:
        """How often the partners of a side have played together, in words; empty for a side of one."""
        names = _partners([self.name(place) for place in self.sides[side]], side == self.floating)
        pairs = [past.games(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
        if not pairs:
            return ""
        if len(pairs) > 1:
            return _(
                "%(new)s of %(pairs)s pairs are partners for the first time",
                new=sum(not games for games in pairs),
                pairs=len(pairs),
            )
        if not pairs[0]:
            return _("They have never been partners")
        return ngettext("They have been partners once", "They have been partners %(num)s times", pairs[0])


def seated_now(
    people: Sequence[str], rules: RuleSet, past: History, seats: str, before: GameRecord, turn: int
) -> NewSeats:
    """The proposal for people.

    Args:
        people: those who are there, each once; at least as many as the rules need.
        rules: the rules.
        past: who has played with whom.
        seats: the numbers of players of each side, such as ``2,2``; where it does not fit, those of the game before.
        before: the game before.
        turn: which proposal, from 0, the best first; after the last comes the first again.
    """
    count = max(count for count in player_counts(rules) if count <= len(people))
    ways = {",".join(map(str, way)): way for way in rules.sides_for(count)}
    usual = ",".join(str(len(side.players)) for side in before.sides)
    seating = ways.get(seats) or ways.get(usual) or next(iter(ways.values()))
    floating = floater_seat(seating, rules)
    found = proposals(people, seating, past, floating)
    proposal = found[turn % len(found)]
    names = [*(name for side in proposal.sides for name in side), *proposal.out]
    return NewSeats(tuple(people), tuple(map(list(people).index, names)), seating, floating)


def people_of(game: GameRecord) -> list[str]:
    """The people of a game, side by side; seats that nobody was named for are left out."""
    return [name for side in game.sides for name in side.players if not is_placeholder(name)]


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """Names of people, each once, as first written; placeholders and empty ones are left out."""
    found: dict[str, str] = {}
    for name in names:
        if name and not is_placeholder(name):
            found.setdefault(name_key(name), name)
    return tuple(found.values())[:_MAX_PEOPLE]


def new_game_fields(seats: NewSeats, before: GameRecord, rules: RuleSet) -> dict[str, str]:
    """The fields of the form of a new game, by their names; partners who stay together keep the name of their side."""
    floated = floater_side(before.sides, rules)
    names = {
        frozenset(map(name_key, _partners(side.players, at == floated))): side.name
        for at, side in enumerate(before.sides)
        if len(side.players) > 1 and has_own_name(side, at == floated)
    }
    sizes = ",".join(map(str, seats.seating))
    fields = {"rules": rules.id, "players": str(sum(seats.seating)), "seats": sizes}
    for side, places in enumerate(seats.sides):
        players = [seats.name(place) for place in places]
        fields |= {f"player{side}.{seat}": player for seat, player in enumerate(players)}
        own = names.get(frozenset(map(name_key, _partners(players, side == seats.floating))))
        if own or len(players) == 1:
            fields[f"side{side}"] = own or players[0]
    return fields


def _partners(players: Sequence[str], floats: bool) -> Sequence[str]:
    return players[:-1] if floats else players


def read_order(text: str, people: int) -> tuple[int, ...] | None:
    """The order of a form, such as ``0,2,1,3``; None where it does not hold each of so many people once."""
    parts = text.split(",")
    if sorted(parts) != sorted(map(str, range(people))):
        return None
    return tuple(map(int, parts))
