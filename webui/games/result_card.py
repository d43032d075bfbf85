"""The result of a game as a picture to share: what stands where, in SVG user units."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from webui.games.new_game import NewGame
from webui.games.progress import GameProgress
from webui.translation import _, ngettext
from webui.wording import cut, listed, local_day, points_text, rounds_text

WIDTH = 1080
"""As wide as most phones' screens in pixels."""
_EDGE, _PAD = 48, 40
_LEFT, _RIGHT = _EDGE + _PAD, WIDTH - _EDGE - _PAD
_TABLE_TOP, _ROW, _NAME_LINE = 440, 84, 46
_MOST_COLUMNS = 4
"""Sides beside each other; more stand below each other, with their totals alone."""
_ROUND_WIDTH = 230
_LARGEST, _SMALLEST = 40, 24
_LINE_SIZES = (64, 34)
_WIDE = ("W", "F")


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: its baseline, the end that ``x`` is, its size and what it is for."""

    x: float
    y: float
    text: str
    size: float = _LARGEST
    anchor: str = "start"
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class ResultCard:
    """The picture: its lines of text, the heights of the lines that part rows, and how tall it is."""

    height: float
    texts: tuple[Text, ...]
    rules: tuple[float, ...]
    width: int = WIDTH
    left: int = _LEFT
    right: int = _RIGHT
    edge: int = _EDGE


def names_of_sides(progress: GameProgress, named: bool) -> tuple[str, ...]:
    """What the sides are called: by their names, or by their seats alone."""
    game = progress.game
    if named:
        return tuple(side.name for side in game.sides)
    seats = NewGame(progress.rules, game.players, tuple(len(side.players) for side in game.sides))
    return tuple(seats.side_name(side) for side in progress.sides)


def result_text(progress: GameProgress, named: bool = True) -> str:
    """The result in a sentence or two: ``Hand & Foot, Nov 21, 2026. Ann & Bob 5,420, Cy & Di 3,210.``"""
    names = names_of_sides(progress, named)
    order = sorted(progress.sides, key=lambda side: -progress.totals[side])
    totals = ", ".join(f"{names[side]} {points_text(progress.totals[side])}" for side in order)
    return f"Hand & Foot, {local_day(progress.game.created_at)}, {_how_far(progress)}. {totals}."


def draw_result(progress: GameProgress, named: bool = True) -> ResultCard:
    """Lays out the result of a game that has an agreed round: who won, the points of each round, the totals.

    Args:
        progress: the game.
        named: whether sides are called by their names.
    """
    names = names_of_sides(progress, named)
    about = f"{local_day(progress.game.created_at)} · {progress.rules.name} · {_how_far(progress)}"
    headline = _headline(progress, names)
    texts = [
        _fitted(WIDTH / 2, 330, headline, WIDTH - 2 * _EDGE, _LINE_SIZES[0], "middle", "headline"),
        _fitted(WIDTH / 2, 395, about, WIDTH - 2 * _EDGE, _LINE_SIZES[1], "middle", "soft"),
    ]
    table, rules, bottom = (_table if len(names) <= _MOST_COLUMNS else _standings)(progress, names)
    return ResultCard(bottom + _PAD + _EDGE, (*texts, *table), rules)


def _table(progress: GameProgress, names: Sequence[str]) -> tuple[list[Text], tuple[float, ...], float]:
    """Rounds below each other, sides beside each other."""
    column = (_RIGHT - _LEFT - _ROUND_WIDTH) / len(names)
    ends = [_LEFT + _ROUND_WIDTH + column * (side + 1) for side in range(len(names))]
    # Partners below each other, so that their names stay large.
    heads = [[part.strip() for part in name.split(" & ")] for name in names]
    lines = max(map(len, heads))
    y = float(_TABLE_TOP + _PAD + _NAME_LINE * lines)
    texts = [
        _fitted(end, y - _NAME_LINE * (len(head) - 1 - at) - 14, part, column - 24, _LARGEST - 6, "end", "head")
        for end, head in zip(ends, heads, strict=True)
        for at, part in enumerate(head)
    ]
    rules = [y + 6]
    for number, points in progress.points.items():
        y += _ROW
        name = progress.rules.round_name(number, sets_before=progress.game.sets_before)
        texts.append(_fitted(_LEFT, y - 22, name, _ROUND_WIDTH, _LARGEST))
        texts += [_number(end, y - 22, sum, column) for end, sum in zip(ends, points, strict=True)]
        rules.append(y + 6)
    y += _ROW + 16
    texts.append(_fitted(_LEFT, y - 22, _("Total"), _ROUND_WIDTH, _LARGEST + 6, kind="total"))
    texts += [_number(end, y - 22, sum, column, "total") for end, sum in zip(ends, progress.totals, strict=True)]
    return texts, tuple(rules), y


def _standings(progress: GameProgress, names: Sequence[str]) -> tuple[list[Text], tuple[float, ...], float]:
    """Sides below each other with their totals, best first."""
    y, texts, rules = float(_TABLE_TOP + _PAD), [], []
    for side in sorted(progress.sides, key=lambda side: -progress.totals[side]):
        y += _ROW
        kind = "total" if side in progress.leaders else "plain"
        texts.append(_fitted(_LEFT, y - 22, names[side], _RIGHT - _LEFT - 240, _LARGEST, kind=kind))
        texts.append(_number(_RIGHT, y - 22, progress.totals[side], 240, kind))
        rules.append(y + 6)
    return texts, tuple(rules[:-1]), y


def _headline(progress: GameProgress, names: Sequence[str]) -> str:
    first = [names[side] for side in progress.leaders]
    if not progress.over:
        return ngettext("In the lead: %(sides)s", "Level: %(sides)s", len(first), sides=listed(first))
    return ngettext("Winner: %(sides)s", "Tied: %(sides)s", len(first), sides=listed(first))


def _how_far(progress: GameProgress) -> str:
    played = rounds_text(len(progress.points), progress.rules.in_sets)
    return played if progress.over else _("after %(rounds)s", rounds=played)


def _number(x: float, y: float, number: int, width: float, kind: str = "plain") -> Text:
    size = _LARGEST + 6 if kind == "total" else _LARGEST
    return _fitted(x, y, points_text(number), width - 12, size, "end", "minus" if number < 0 else kind)


def _fitted(
    x: float, y: float, text: str, room: float, largest: float, anchor: str = "start", kind: str = "plain"
) -> Text:
    """The text as large as its room lets it be; cut where it would be too small to read."""
    size = min(largest, room / _widths(text))
    if size < _SMALLEST:
        size, kept = float(_SMALLEST), text
        while len(kept) > 1 and _widths(kept + "…") * size > room:
            kept = cut(kept, len(kept) - 1)
        text = kept + "…"
    return Text(x, y, text, round(size, 1), anchor, kind)


def _widths(text: str) -> float:
    """About how wide a text is, in its own size: no font is known here."""
    return sum(1.05 if unicodedata.east_asian_width(sign) in _WIDE else 0.6 for sign in text) or 1.0
