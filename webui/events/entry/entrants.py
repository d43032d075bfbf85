"""Teams and people as they are typed, pasted or read from a spreadsheet: one a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass

from webui.events.ranking import RefusedError
from webui.storage.events.facts import MOST_ENTRANTS, Enter
from webui.translation import _
from webui.wording import name_key, one_of, tidy

_AND = re.compile(r"\s*(?:&|\+|/|\band\b)\s*", re.IGNORECASE)
_HEADS = ("team", "name", "player", "player 1", "player 2", "person", "group")
_MOST_TYPED = 60_000


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    cells: tuple[str, ...]


def read_entrants(text: str, teams: bool, groups: tuple[str, ...], known: Iterable[str]) -> tuple[Enter, ...]:
    """Reads teams (``Ann & Bo``, ``Eagles: Ann, Bo``) or people (``Ann, woman``), one a line.

    A spreadsheet's lines with commas, semicolons or tabs are read alike; its line of headings is left out.

    Args:
        text: what was typed.
        teams: whether teams are entered, instead of people.
        groups: the groups in which people are ranked.
        known: the names that take part already.

    Raises:
        RefusedError: a line cannot be understood, or a name is there twice.
    """
    entered: list[Enter] = []
    lines = list(_lines(text[:_MOST_TYPED]))
    names = {name_key(name): name for name in known}
    for line in lines:
        enter = _team(line) if teams else _person(line, groups)
        if name_key(enter.name) in names:
            values = {"line": line.number, "name": enter.name}
            raise RefusedError(_("Line %(line)s: %(name)s is in there twice. Give each a name of its own.", **values))
        names[name_key(enter.name)] = enter.name
        entered.append(enter)
    if not entered:
        raise RefusedError(_("Type at least one name, one a line."))
    if len(names) > MOST_ENTRANTS:
        values = {"most": MOST_ENTRANTS, "number": len(names)}
        raise RefusedError(_("There is room for %(most)s, and that would be %(number)s.", **values))
    return tuple(entered)


def _lines(text: str) -> Iterable[_Line]:
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        separator = next((sign for sign in "\t;," if sign in line), ",")
        cells = tuple(tidy(cell) for cell in next(csv.reader([line.replace("\0", "")], delimiter=separator), []))
        cells = tuple(cell for cell in cells if cell)
        if cells and not all(cell.casefold() in _HEADS for cell in cells):
            yield _Line(number, line, cells)


def _team(line: _Line) -> Enter:
    head, colon, rest = line.text.partition(":")
    if colon:
        name, cells = tidy(head), tuple(filter(None, (tidy(part) for part in re.split(r"[,;\t]", rest))))
    else:
        name, cells = "", line.cells
    if len(cells) == 1:
        parts = tuple(filter(None, (tidy(part) for part in _AND.split(cells[0]))))
        if colon or len(parts) == 2:
            cells = parts
    pairs = [_AND.split(cell) for cell in cells]
    if not name and len(cells) == 2 and len(pairs[0]) == 1 and len(pairs[1]) == 2:  # a name, then both players
        name, cells = cells[0], tuple(map(tidy, pairs[1]))
    elif not name and sum(len(pair) == 2 for pair in pairs) > 1:
        raise RefusedError(
            _(
                "Line %(line)s has several teams: give each a line of its own. Here is “%(text)s”.",
                line=line.number,
                text=tidy(line.text, 60),
            )
        )
    if not name and len(cells) == 3:
        name, cells = cells[0], cells[1:]
    if not name and len(cells) == 1:
        return Enter(name=cells[0])
    if len(cells) != 2 or any(len(_AND.split(cell)) > 1 for cell in cells):
        raise RefusedError(
            _(
                "Line %(line)s: a team has two players, such as “Ann & Bo” or “Eagles: Ann, Bo”. Here is “%(text)s”.",
                line=line.number,
                text=tidy(line.text, 60),
            )
        )
    if name_key(cells[0]) == name_key(cells[1]):
        raise RefusedError(_("Line %(line)s: %(name)s cannot play with %(name)s.", line=line.number, name=cells[0]))
    return Enter(name=name or f"{cells[0]} & {cells[1]}", players=(cells[0], cells[1]))


def _person(line: _Line, groups: tuple[str, ...]) -> Enter:
    cells = line.cells
    if len(cells) == 1 and (found := re.fullmatch(r"(.+?)\s*\((.+)\)", cells[0])):
        cells = (found[1], found[2])
    if not groups:
        return Enter(name=cells[0])
    said = cells[1].casefold() if len(cells) == 2 else ""
    group = next((one for one in groups if said and one.casefold().startswith(said[:1]) and _means(said, one)), None)
    if group is None:
        raise RefusedError(
            _(
                "Line %(line)s: say who %(name)s is ranked with, such as “%(name)s, %(group)s”. It can be %(groups)s.",
                line=line.number,
                name=cells[0],
                group=groups[0],
                groups=one_of(groups),
            )
        )
    return Enter(name=cells[0], group=group)


def _means(said: str, group: str) -> bool:
    """Whether a word stands for a group: its name, its first letter, or a plural."""
    name = group.casefold()
    plural = name.replace("man", "men")
    return said in (name, name[:1], plural, f"{name}s")
