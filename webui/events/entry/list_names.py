"""Lines of a list as teams with their players, or as people with the groups they are ranked in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webui.events.entry import list_words as words
from webui.events.entry.list_lines import Line
from webui.events.ranking import RefusedError
from webui.storage.events.facts import Enter
from webui.translation import _
from webui.wording import name_key, one_of, tidy

_DASH = re.compile(r"\s+[-–—]+\s+")
_IN_BRACKETS = re.compile(r"^(.+?)\s*[(\[]([^()\[\]]*)[)\]]$")
_PAIR_IN_BRACKETS = re.compile(r"^([^,;&+/()]+?)\s*\(\s*([^(),;&+/]+?)(?:\s*[,;&+/]\s*|\s+and\s+)([^(),;&+/]+?)\s*\)$")
_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"), ("«", "»"), ("„", "“"))
_OF_A_GROUP = {
    "woman": ("f", "female", "lady", "ladies", "mrs", "ms"),
    "man": ("male", "gent", "gents", "gentleman", "mr"),
}


@dataclass(frozen=True, slots=True)
class Read:
    """A line with whom it enters, and what beside them is not kept."""

    line: Line
    enter: Enter
    notes: tuple[str, ...] = ()


def read_teams(lines: list[Line]) -> tuple[list[Read], list[str]]:
    """The teams of a list, and the lines that name none: headings, and a title over teams with players.

    Raises:
        RefusedError: a line names no team of two, or several.
    """
    read, left_out = list[Read](), list[str]()
    for line in lines:
        if line.heading:
            left_out.append(line.text)
        else:
            read.append(_team(line))
    if len(read) > 2 and not read[0].enter.players and all(one.enter.players for one in read[1:]):  # a title
        left_out.insert(0, read.pop(0).line.text)
    return read, left_out


def _team(line: Line) -> Read:
    name, cells, notes = _of_columns(line) if line.columns else _of_line(line)
    while len(cells) > 1 and words.is_note(cells[-1]) and (len(cells) > 2 or words.AND.search(cells[0])):
        notes.insert(0, cells.pop())
    pairs = [words.AND.split(cell) for cell in cells]
    if not name and [len(pair) for pair in pairs] == [1, 2]:  # a name, then both players
        name, pairs = cells[0], pairs[1:]
    values = {"line": line.number, "text": tidy(line.text, 60)}
    if sum(len(pair) > 1 for pair in pairs) > 1:
        raise RefusedError(
            _("Line %(line)s has several teams: give each a line of its own. Here is “%(text)s”.", **values)
        )
    parts = [part for pair in pairs for typed in pair if not typed.strip(".").isdigit() and (part := _name(typed))]
    if not name and len(parts) == len(pairs) == 1:
        return Read(line, Enter(name=parts[0]), tuple(notes))
    if not name and len(parts) == len(pairs) == 3:
        name, parts = parts[0], parts[1:]
    if len(parts) != 2:
        raise RefusedError(
            _(
                "Line %(line)s: a team has two players, such as “Ann & Bo” or “Eagles: Ann, Bo”, and here are "
                "%(number)s: “%(text)s”. Who comes in later is a substitute.",
                number=len(parts),
                **values,
            )
        )
    if name_key(parts[0]) == name_key(parts[1]):
        raise RefusedError(_("Line %(line)s: %(name)s cannot play with %(name)s.", line=line.number, name=parts[0]))
    return Read(line, Enter(name=_name(name) or " & ".join(parts), players=(parts[0], parts[1])), tuple(notes))


def _of_columns(line: Line) -> tuple[str, list[str], list[str]]:
    """The team's name, its players, and what is not kept, by the headings of the columns."""
    name, cells, notes = "", list[str](), list[str]()
    half: dict[str, str] = {}
    for role, cell in line.columns:
        if role == "team" and not words.is_number(cell):
            name = cell
        elif role == "player" and not words.is_empty(cell):
            cells.append(cell)
        elif role in ("first", "last"):
            half[role] = cell
            if len(half) == 2:
                cells.append(f"{half.pop('first')} {half.pop('last')}")
        elif role in ("other", "", "group"):
            notes.append(cell)
    cells += half.values()
    return (name, cells, notes) if cells else ("", [name], notes)


def _of_line(line: Line) -> tuple[str, list[str], list[str]]:
    """The team's name where it stands before a colon or a dash, the cells behind it, and what is not kept."""
    name, cells, notes = "", [words.without_number(words.without_bullet(cell)) for cell in line.cells], list[str]()
    if found := _PAIR_IN_BRACKETS.match(words.without_number(words.without_bullet(line.text))):
        return found[1], [found[2], found[3]], notes
    head, colon, rest = cells[0].partition(":")
    if colon and rest.strip():
        cells[0] = rest.strip()
        name = "" if words.is_number(head) or words.role_of(head) else head
    if len(cells) == 1 and (found := _IN_BRACKETS.match(cells[0])):
        cells, notes = [found[1]], [found[2]]
    parts = _DASH.split(cells[0])
    if len(parts) > 1:
        paired = [bool(words.AND.search(part)) for part in parts]
        if words.is_number(parts[0]):
            parts, paired = parts[1:], paired[1:]
        if any(paired):
            at = paired.index(True)
            name = name or " - ".join(parts[:at])
            notes += parts[at + 1 :]
            cells[0] = parts[at]
        elif len(parts) == 2 and len(cells) == 2 and not words.is_note(cells[1]):
            name, cells = parts[0], [parts[1], cells[1]]
        else:
            cells = [*parts, *cells[1:]]
    return name, [cell for cell in cells if not words.is_empty(cell)], notes


def read_people(lines: list[Line], groups: tuple[str, ...]) -> tuple[list[Read], list[str]]:
    """The people of a list, and the lines that name nobody; a heading such as "Women" says the group of those below it.

    Raises:
        RefusedError: a line names several people, or does not say with whom somebody is ranked.
    """
    read, left_out = list[Read](), list[str]()
    of_section: str | None = None
    for line in lines:
        section = _group(line.text.rstrip(" :"), groups)
        if section:
            of_section = section
        if section or line.heading:
            left_out.append(line.text)
        else:
            read.append(_person(line, groups, of_section))
    return read, left_out


def _person(line: Line, groups: tuple[str, ...], of_section: str | None) -> Read:
    cells, said = _cells_of_person(line)
    name = _name(words.without_number(words.without_bullet(cells[0])))
    beside = [*said, *cells[1:]]
    group = next((found for one in beside if (found := _group(one, groups))), of_section)
    if groups and group is None:
        raise RefusedError(
            _(
                "Line %(line)s: say who %(name)s is ranked with, such as “%(name)s, %(group)s”. It can be %(groups)s.",
                line=line.number,
                name=name,
                group=groups[0],
                groups=one_of(groups),
            )
        )
    others = [one for one in cells[1:] if not _group(one, groups) and not words.is_note(one)]
    if not name or others or words.AND.search(name):
        values = {"line": line.number, "text": tidy(line.text, 60)}
        raise RefusedError(
            _("Line %(line)s names several people: give each a line of their own. Here is “%(text)s”.", **values)
        )
    return Read(line, Enter(name=name, group=group), tuple(one for one in beside if not _group(one, groups)))


def _cells_of_person(line: Line) -> tuple[list[str], list[str]]:
    """The name and what stands beside it; then what columns or brackets say about the person."""
    if line.columns:
        _name_of_team, cells, _notes = _of_columns(line)
        return cells or [""], [cell for role, cell in line.columns if role in ("group", "other", "")]
    cells = list(line.cells)
    if found := _IN_BRACKETS.match(cells[0]):
        return [found[1], *cells[1:]], [found[2]]
    parts = _DASH.split(words.without_number(words.without_bullet(cells[0])))
    return ([parts[0], *cells[1:]], parts[1:]) if len(parts) > 1 else (cells, [])


def _group(said: str, groups: tuple[str, ...]) -> str | None:
    """The group that a word stands for: by its name, its first letter, a plural, another word for man or woman."""
    plain = said.strip(" .:").casefold()
    for group in groups:
        name = group.casefold()
        if plain and plain in (name, name[:1], name.replace("man", "men"), f"{name}s", *_OF_A_GROUP.get(name, ())):
            return group
    return None


def _name(typed: str) -> str:
    """A name as it is kept, without quotation marks around it, or a note or a phone number behind it."""
    name = words.without_phone(words.without_bullet(typed))
    if (found := _IN_BRACKETS.match(name)) and words.is_note(found[2]):
        name = found[1]
    for one, two in _QUOTES:
        if len(name) > 2 and name.startswith(one) and name.endswith(two):
            name = name[1:-1]
    return tidy(name)
