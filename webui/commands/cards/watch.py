"""``handfoot watch``: what a filmed round came to."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path
from typing import Any

from scorer.faces import Face
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import check_meld
from vision.errors import PhotoError
from vision.memory.film_file import film_frames
from vision.memory.table_memory import TableMemory
from vision.memory.watching import Watching
from vision.values import Frame, Reading
from webui.commands.cards.in_play import add_in_play_options, in_play
from webui.commands.output import print_json, print_lines, print_message
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import Reader

_NEVER_STILL = (
    "nothing was read, as the picture never lies still for half a second; film the table from a fixed place, and for "
    "longer"
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("watch", help="tell what a filmed round came to")
    parser.add_argument("films", nargs="+", metavar="FILM", type=Path, help="a film of the table")
    add_in_play_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Watches all films; one that cannot be read gets a sentence and makes the exit code 1.

    Raises:
        RulesError, DeckError: as ``in_play``.
        WeightsError: the reader's weights are missing or damaged.
    """
    given = in_play(arguments)
    code = 0
    reader: Reader | None = None
    for path in arguments.films:
        try:
            frames = film_frames(path)
            first = next(frames)
            reader = reader or load_chosen_reader(given.data_dir)[1]
            chosen = reader

            def read(frame: Frame, /, chosen: Reader = chosen) -> Reading:
                return chosen.read(frame, given.house, given.taught)

            watching = Watching(read, TableMemory(given.house))
            seconds = watching.see_all(chain((first,), frames))
            if not watching.readings:
                raise PhotoError(f"{path}: {_NEVER_STILL}")
        except PhotoError as error:
            print_message(str(error))
            code = 1
            continue
        result = as_json(path, seconds, watching.memory, given.rules)
        if arguments.json:
            print_json(result)
        else:
            print_lines(as_text(result))
    return code


def as_json(path: Path, seconds: float, memory: TableMemory, rules: RuleSet) -> dict[str, Any]:
    """What a film came to, as ``docs/contract.md`` says.

    The scoring rules say which rank and kind of book each group is; groups and history number the groups alike.
    """
    found = memory.groups()
    numbers = {group["number"]: place for place, group in enumerate(found)}
    groups = []
    for group in found:
        made = {key: value for key, value in group.items() if key not in ("number", "side", "sentence")}
        if group["kind"] != "threes":
            check = check_meld(tuple(Face.parse(face) for face in group["cards"]), rules)
            made |= {"rank": check.rank, "book": check.book}
        groups.append(made if group["side"] is None else {**made, "side": group["side"]})
    # a group of which nothing is left has a number behind those that lie there
    for change in memory.state.history:
        numbers.setdefault(change.group, len(numbers))
    history = [{**change.as_json(), "group": numbers[change.group]} for change in memory.state.history]
    warnings = [
        {"code": group["doubt"], "message": group["sentence"]}
        for group in found
        if group["doubt"] and group["sentence"]
    ]
    return {"film": str(path), "seconds": round(seconds, 2), "groups": groups, "history": history, "warnings": warnings}


def as_text(result: dict[str, Any]) -> list[str]:
    """The result for people: one line a group, those to be checked with the reason; a suit not seen is a ``?``."""
    rows = [f"{result['film']}: {len(result['groups'])} groups, {len(result['history'])} changes"]
    for group in result["groups"]:
        kind = f"{group['book']} {group['kind']}" if group["book"] else group["kind"]
        shown = [Face.parse(name) for name in group["cards"]]
        cards = [f"{face.rank}?" if place in group["guessed"] else str(face) for place, face in enumerate(shown)]
        rows.append(f"  {kind}: {' '.join(cards)}" + (f"  ({group['doubt']})" if group["doubt"] else ""))
    rows += [f"  ! {warning['message']}" for warning in result["warnings"]]
    return rows
