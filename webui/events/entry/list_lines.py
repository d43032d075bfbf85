"""A list as it was typed or pasted, taken apart: lines of names without numbers, bullets and headings."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from webui.events.entry import list_words as words
from webui.wording import tidy

_SEPARATORS = "\t;|,"
_LONGEST_LINE = 1000
_OPEN_END = re.compile(r"(?:&|\+|/|\band)\s*$", re.IGNORECASE)
_OPEN_START = re.compile(r"^\s*(?:&|\+|and\s)", re.IGNORECASE)
_SUFFIX = re.compile(r",\s*(?=(?:jr|sr|ii|iii|iv)\b)", re.IGNORECASE)
_WIDE = re.compile(r"\s{3,}|(?<=\S) {2}(?=\S)")
_HEAD_OF_BLOCK = re.compile(r"^\W*(?:team|pair|couple|table)\s*[#№]?\s*\d{1,3}\W*$", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"^ *(\d{1,3}) +(?=[^\W\d])")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, its text, and its cells without empty ones and without numbers that only count.

    ``columns`` are what stands in each column of a table with headings, by what the headings say; empty without them.
    ``heading``: it names no team and nobody.
    """

    number: int
    text: str
    cells: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    heading: bool = False


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a list that are not empty, headings among them.

    Headings over columns say what stands in these in the lines below them.
    """
    plain = _joined(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\0", "").splitlines())
    plain = _blocks([(number, line) for number, line in plain if not words.is_empty(line)])
    numbered = _count_up([line for _number, line in plain if not _is_heading(_cells(line))])
    headings: tuple[str, ...] = ()
    for number, line in plain:
        cells = _cells(_BARE_NUMBER.sub("", line) if numbered else line)
        if _is_heading(cells):
            headings = tuple(map(words.role_of, _cells(line)))
            yield Line(number, tidy(line, 90), heading=True)
            continue
        columns = tuple((role, cell) for role, cell in zip(headings, cells, strict=False) if cell)
        if len(headings) < 2 or not {"team", "player", "first"} & {role for role, _cell in columns}:
            columns = ()
        told = tuple(cell for cell in _without_counts(cells) if not words.is_empty(cell) and "@" not in cell)
        told = tuple(cell for cell in told if any(map(str.isalpha, cell))) or told
        yield Line(number, tidy(line, 90), told, columns, heading=not told or (not columns and words.is_title(line)))


def _count_up(lines: list[str]) -> bool:
    """Whether lines are numbered without a dot: each begins with the number after that of the line before."""
    found = [_BARE_NUMBER.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    return len(lines) > 1 and numbers == list(range(numbers[0] if numbers else 0, len(lines) + (numbers or [0])[0]))


def _joined(lines: list[str]) -> list[tuple[int, str]]:
    """Numbered lines; one that ends or begins with ``&`` goes on in the next."""
    joined: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        text = _SUFFIX.sub(" ", line[:_LONGEST_LINE])
        before = joined[-1][1][-1].strip() if joined else ""
        if before and text.strip() and (_OPEN_END.search(before) or _OPEN_START.match(text)):
            joined[-1][1].append(text.strip())
        else:
            joined.append((number, [text]))
    return [(number, " ".join(parts)[:_LONGEST_LINE]) for number, parts in joined]


def _blocks(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines, where a list is of "Team 1" with each player on a line below made one line for each team."""
    blocks = [lines[at : at + 3] for at in range(0, len(lines), 3)]
    for block in blocks:
        (_number, head), *players = block
        names = [name for _at, name in players]
        if len(names) != 2 or not _HEAD_OF_BLOCK.match(head) or any(len(_cells(name)) > 1 for name in names):
            return lines
        if any(words.AND.search(name) or words.is_number(name) for name in names):
            return lines
    return [(block[0][0], " & ".join(words.without_bullet(name) for _at, name in block[1:])) for block in blocks]


def _cells(line: str) -> tuple[str, ...]:
    """The cells of a line, empty ones included where there are several: by tabs, semicolons, bars, commas or gaps."""
    separator = next((sign for sign in _SEPARATORS if sign in line), None)
    if separator is not None:
        bars = line.strip().strip("|") if separator == "|" else line
        parts = next(csv.reader([bars], delimiter=separator, skipinitialspace=True), [])
    else:
        parts = _WIDE.split(re.sub(r"\s+(?=[&+])|(?<=[&+])\s+", " ", line.strip()))
    return tuple(tidy(part) for part in parts)


def _is_heading(cells: tuple[str, ...]) -> bool:
    """Whether cells are headings: each of them, or with a number or a name among them half of at least three."""
    named = [part for cell in cells for part in ([cell] if words.role_of(cell) else words.AND.split(cell)) if part]
    known = [words.role_of(part) for part in named]
    if not any(known) or (len(named) == 1 and any(map(str.isdigit, named[0]))):  # "Team 7" may be a team's name
        return False
    return all(known) or (len(named) > 2 and known.count("") <= len(known) // 2 and bool({*known} & {"player", "team"}))


def _without_counts(cells: tuple[str, ...]) -> tuple[str, ...]:
    found = [cell for cell in cells if cell and not cell.strip(".):#").isdigit()]
    if len(found) > 1 and words.is_number(found[0]):
        found = found[1:]
    return tuple(found)
