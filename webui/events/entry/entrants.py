"""Teams and people as they are typed, pasted or read from a spreadsheet, as they are understood: one a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from webui.events.entry.list_lines import lines_of
from webui.events.entry.list_names import Read, read_people, read_teams
from webui.events.evening import Entrant
from webui.events.ranking import RefusedError
from webui.storage.events.facts import MOST_ENTRANTS, Enter
from webui.translation import _, ngettext
from webui.wording import listed, name_key

_MOST_TYPED = 60_000


@dataclass(frozen=True, slots=True)
class Understood:
    """What a list of teams or people is understood as.

    ``new`` are those that it enters, ``known`` the names that take part already, ``left_out`` the lines that name
    nobody, ``notes`` what stood beside names and is not kept. ``twice`` are people with the names of the teams they
    are in, new or not, where they are several. ``unnamed`` are new teams without players. ``most``
    is how many teams the printed rules have room for, where there would be more. ``plain``: one of them alone, kept as
    it was written.
    """

    new: tuple[Enter, ...]
    known: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    twice: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unnamed: tuple[str, ...] = ()
    most: int | None = None
    plain: bool = False

    @property
    def mark(self) -> str:
        """A mark of all this, by which a form says what its visitor has seen."""
        told = (
            [(one.name, one.players, one.group) for one in self.new],
            self.known,
            sorted(self.twice.items()),
            self.most,
        )
        return sha256(repr(told).encode()).hexdigest()[:16]

    def is_agreed(self, fields: Mapping[str, str]) -> bool:
        """Whether a form was sent by somebody who had seen this, and said that people in two teams are different ones.

        What is plain needs no look.
        """
        return self.plain or (
            fields.get("understood") == self.mark and (not self.twice or fields.get("different") == "yes")
        )


def understand(
    text: str, teams: bool, groups: tuple[str, ...], known: Iterable[Entrant], most: int | None = None
) -> Understood:
    """Reads teams (``Ann & Bo``, ``Eagles: Ann, Bo``) or people (``Ann, woman``), one a line.

    A spreadsheet's lines with commas, semicolons or tabs are read alike. Headings, numbers, bullets and notes are left
    out, and so is who takes part already, as in a list that is pasted again.

    Args:
        text: what was typed.
        teams: whether teams are entered, instead of people.
        groups: the groups in which people are ranked.
        known: those who take part already.
        most: how many the printed rules have room for; more are asked about.

    Raises:
        RefusedError: a line cannot be understood, a name is there twice, or nobody is new.
    """
    if len(text) > _MOST_TYPED:
        raise RefusedError(_("That list is too long. Enter it in parts."))
    lines = list(lines_of(text))
    read, left_out = read_teams(lines) if teams else read_people(lines, groups)
    there = {name_key(one.name): one for one in known}
    new, again = _sorted_out(read, there, teams)
    if not new:
        raise RefusedError(_nobody_new(again, left_out))
    if (number := len(there) + len(new)) > MOST_ENTRANTS:
        values = {"most": MOST_ENTRANTS, "number": number}
        raise RefusedError(_("There is room for %(most)s, and that would be %(number)s.", **values))
    enters = tuple(one.enter for one in new)
    twice = _in_two_teams(enters, there.values())
    notes = tuple(note for one in new for note in one.notes)
    unnamed = tuple(one.name for one in enters if teams and not one.players)
    over = most if most is not None and number > most else None
    plain = not (again or left_out or twice or over or unnamed) and len(new) == 1 and text.strip() in _written(*enters)
    return Understood(enters, tuple(again), tuple(left_out), notes, twice, unnamed, over, plain)


def _sorted_out(read: list[Read], there: Mapping[str, Entrant], teams: bool) -> tuple[list[Read], list[str]]:
    """Who of a list is new, and the names of those who take part already."""
    pairs = {_pair(one.players): one for one in there.values() if one.players}
    new, again, at = list[Read](), list[str](), dict[str, int]()
    for one in read:
        name, pair, line = one.enter.name, _pair(one.enter.players), one.line.number
        same = pairs.get(pair) or there.get(name_key(name))
        if same is not None:
            if teams and _pair(same.players) != pair:
                called = f"{same.name} ({listed(same.players)})" if same.players else same.name
                values = {"line": line, "name": called}
                raise RefusedError(
                    _("Line %(line)s: a team %(name)s takes part already. Give this one another name.", **values)
                )
            again.append(same.name)
            continue
        for key in filter(None, (name_key(name), pair)):
            if key in at:
                values = {"line": line, "name": name, "before": at[key]}
                raise RefusedError(
                    _(
                        "Line %(line)s: %(name)s is listed twice, also in line %(before)s. Take out one of them, or "
                        "give each a name of its own.",
                        **values,
                    )
                )
            at[key] = line
        new.append(one)
    return new, again


def _pair(players: Sequence[str]) -> str:
    """What two players have in common with the same two in the other order; empty without players."""
    return "\n".join(sorted(map(name_key, players)))


def _written(enter: Enter) -> tuple[str, ...]:
    if enter.group is not None:
        return (f"{enter.name}, {enter.group}",)
    pair = " & ".join(enter.players)
    return (enter.name,) if enter.name == pair or not pair else (f"{enter.name}: {', '.join(enter.players)}",)


def _nobody_new(again: list[str], left_out: list[str]) -> str:
    if again:
        return ngettext(
            "%(names)s takes part already.",
            "Nobody is new: %(names)s take part already.",
            len(again),
            names=listed(again),
        )
    if left_out:
        return _("No names were found, only “%(text)s”. Type one team or name a line.", text=left_out[0])
    return _("Type at least one name, one a line.")


def _in_two_teams(new: tuple[Enter, ...], known: Iterable[Entrant]) -> dict[str, tuple[str, ...]]:
    teams: dict[str, dict[str, str]] = {}
    for name, players in [*((one.name, one.players) for one in known), *((one.name, one.players) for one in new)]:
        for player in players:
            teams.setdefault(name_key(player), {})[name] = player
    fresh = {one.name for one in new}
    return {next(reversed(of.values())): tuple(of) for of in teams.values() if len(of) > 1 and not fresh.isdisjoint(of)}
