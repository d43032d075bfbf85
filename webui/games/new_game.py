"""The choices for a new game: rules, number of players, seating and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.rules import RuleSet
from webui.games.names import PAIR_NAMES, called_by
from webui.games.seating import floater_seat
from webui.storage.records import SideRecord
from webui.translation import _, ngettext
from webui.wording import listed

_MAX_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class NewGame:
    """A new game that fits its rules. ``seating`` is the number of players of each side."""

    rules: RuleSet
    players: int
    seating: tuple[int, ...]

    @property
    def player_counts(self) -> tuple[int, ...]:
        return player_counts(self.rules)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way to seat this number of players."""
        return self.rules.sides_for(self.players)

    @property
    def floating(self) -> int | None:
        """The index of the side whose last player is a floater; None without one."""
        return floater_seat(self.seating, self.rules)

    @property
    def floater_rounds(self) -> str:
        """On which side the floater plays, in words: ``side 1 in rounds 1 and 4, side 2 in rounds 2 and 3``."""
        rounds_planned = range(1, self.rules.rounds.for_players(self.players) + 1)
        sides = [floater_seat(self.seating, self.rules, number) for number in rounds_planned]
        parts = []
        for side in dict.fromkeys(sides):
            rounds = [str(number) for number, plays in enumerate(sides, 1) if plays == side]
            parts.append(
                ngettext(
                    "side %(side)s in round %(rounds)s",
                    "side %(side)s in rounds %(rounds)s",
                    len(rounds),
                    side=(side or 0) + 1,
                    rounds=listed(rounds),
                )
            )
        return ", ".join(parts)

    def side_name(self, side: int) -> str:
        """The placeholder name of a side."""
        if max(self.seating) == 1:
            return f"Player {side + 1}"
        return PAIR_NAMES[side] if len(self.seating) == 2 else f"Team {side + 1}"

    def player_name(self, side: int, seat: int) -> str:
        """The placeholder name of a player; numbers go round the table, where sides alternate."""
        if self.seating == (2, 2):
            return self.side_name(side).split("–")[seat]
        if self.seating[side] == 1:
            return self.side_name(side)
        earlier = sum(min(seats, seat + (index < side)) for index, seats in enumerate(self.seating))
        return f"Player {earlier + 1}"

    @property
    def partners_text(self) -> str | None:
        """Which of the names in a row play together; None where each plays alone."""
        if max(self.seating) == 1:
            return None
        if len(self.seating) == 2:
            return _(
                "Partners together: the first %(number)s names are one side, the rest the other.",
                number=self.seating[0],
            )
        return _("The names are taken side by side, in %(sides)s.", sides=seating_text(self.seating))

    @property
    def floater_text(self) -> str | None:
        """Which of the names in a row plays on which side; None without a floater."""
        if self.floating is None:
            return None
        number = sum(self.seating[: self.floating + 1])
        return _("Name %(number)s plays on %(sides)s.", number=number, sides=self.floater_rounds)

    def fields_of(self, names: Sequence[str]) -> dict[str, str]:
        """As many names as there are players, by the form field of each, as ``sides`` takes them."""
        fields = [
            f"player{side}.{seat}" if seats > 1 else f"side{side}"
            for side, seats in enumerate(self.seating)
            for seat in range(seats)
        ]
        return dict(zip(fields, names, strict=True))

    def sides(self, names: dict[str, str]) -> tuple[SideRecord, ...]:
        """The sides with the names of a form.

        A side without a name is named after its players; a player without one gets the placeholder of the seat.

        Args:
            names: by form field: ``side0``, ``player0.1``.
        """
        sides = []
        for side, seats in enumerate(self.seating):
            typed = [names.get(f"player{side}.{seat}", "") for seat in range(seats)]
            players = [player or self.player_name(side, seat) for seat, player in enumerate(typed)]
            partners = players[:-1] if side == self.floating else players
            name = names.get(f"side{side}") or called_by(partners) or self.side_name(side)
            sides.append(SideRecord(name, (name,) if seats == 1 else tuple(players)))
        return tuple(sides)


def can_seat(rules: RuleSet, sizes: tuple[int, ...]) -> bool:
    """Whether rules are for players who were named on sides of these sizes; one size says no sides."""
    return sum(sizes) in player_counts(rules) and (len(sizes) == 1 or sizes in rules.sides_for(sum(sizes)))


def player_counts(rules: RuleSet) -> tuple[int, ...]:
    """The numbers of players that the rules allow at one table."""
    return tuple(count for count in range(2, _MAX_PLAYERS + 1) if rules.sides_for(count))


def seating_text(seating: tuple[int, ...], rules: RuleSet | None = None) -> str:
    """``2 sides of 2``, ``4 players, each alone``; with rules, ``2 sides of 2 and one who switches sides``."""
    floating = floater_seat(seating, rules) if rules else None
    if floating is not None:
        fixed = tuple(size - (side == floating) for side, size in enumerate(seating))
        return _("%(sides)s and one who switches sides", sides=seating_text(fixed))
    if max(seating) == 1:
        return _("%(number)s players, each alone", number=len(seating))
    if len(set(seating)) == 1:
        return _("%(number)s sides of %(size)s", number=len(seating), size=seating[0])
    return _("sides of %(sizes)s", sizes=listed(map(str, seating)))
