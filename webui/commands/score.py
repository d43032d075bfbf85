"""``handfoot score``: scores round sheets from files or standard input."""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from scorer.rules import RulesError, load_rules
from scorer.scoring import score
from scorer.scoring.tally import Tally
from scorer.sheets import SheetError, read_sheet
from webui.commands.options import MAX_TEXT, add_data_option, read_text
from webui.commands.output import print_json, print_lines, print_message


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("score", help="score round sheets")
    parser.add_argument(
        "sheets", nargs="+", metavar="SHEET", help="a round sheet (JSON); - reads JSON lines from stdin"
    )
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Scores all sheets; one that cannot be read gets a sentence and makes the exit code 1."""
    code = 0
    for name in arguments.sheets:
        for where, text in _documents(name):
            if isinstance(text, Exception):
                print_message(f"{where} cannot be read: {text}")
                code = 1
                continue
            try:
                sheet = read_sheet(parse(text))
                tally = score(sheet, load_rules(sheet.rules))
            except (SheetError, RulesError) as error:
                print_message(f"{where}: {error}")
                code = 1
                continue
            if arguments.json:
                print_json(tally.as_json())
            else:
                print_lines(as_text(tally))
    return code


def parse(text: str) -> object:
    """Parses JSON.

    Raises:
        SheetError: not JSON, nested too deeply, or with a key twice in one object.
    """
    try:
        return json.loads(text, object_pairs_hook=_reject_duplicate_keys)
    except json.JSONDecodeError as error:
        raise SheetError(
            f"expected a round sheet as JSON; line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise SheetError("expected a round sheet as JSON; this is nested far too deeply") from None
    except SheetError:
        raise
    except ValueError:
        raise SheetError("expected a round sheet as JSON; a number in it has far too many digits") from None


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise SheetError(f"the key {twice!r} stands twice in one object; keep one of the two")
    return found


def as_text(tally: Tally) -> Iterator[str]:
    """The tally for people, a line each: for each side its points with their reasons, and its violations."""
    yield f"{tally.rules}, round {tally.round}"
    for side in tally.sides:
        yield f"{side.name}: {side.total}"
        hands = {line.where for line in side.lines if (line.where or "").startswith("left[")}
        for line in side.lines:
            yield f"  {line.points:>6}  {_whose(line.where) if len(hands) > 1 else ''}{line.reason}"
        for violation in side.violations:
            yield f"  ! {violation.message} ({violation.code}, {violation.where})"


def _whose(where: str | None) -> str:
    """Whose left-over cards a line counts, by the place of the list on the sheet, which names no players."""
    place = re.fullmatch(r"left\[(\d+)\]", where or "")
    return f"player {int(place[1]) + 1}: " if place else ""


def _documents(name: str) -> Iterator[tuple[str, str | Exception]]:
    """Each document with a name for messages: the text of a file, or each line of standard input that is not blank.

    In place of the text an exception says why it cannot be read.
    """
    if name != "-":
        try:
            yield name, read_text(Path(name))
        except (OSError, ValueError) as error:
            yield name, ValueError(getattr(error, "strerror", None) or error)
        return
    lines = sys.stdin.buffer if hasattr(sys.stdin, "buffer") else io.BytesIO(sys.stdin.read().encode())
    for number, line in enumerate(iter(lambda: lines.readline(MAX_TEXT + 1), b""), 1):
        where = f"standard input, line {number}"
        if len(line) > MAX_TEXT:
            yield where, ValueError("it is far too big")
            return
        try:
            text = line.decode("utf-8-sig")
        except ValueError:
            yield where, ValueError("it is not text in UTF-8")
            continue
        if text.strip():
            yield where, text
