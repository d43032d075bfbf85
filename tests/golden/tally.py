"""From photo to points: two sample photos of one side, through reading, draft sheet and scoring."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet
from tests.golden.pictures import picture
from vision.values import Frame, Reading
from webui.corrections.apply import apply_corrections
from webui.corrections.side_sheet import round_sheet, side_sheet
from webui.corrections.side_table import SidePhoto
from webui.storage.side_facts import SideFacts

RULES = "golden-games"
TABLE, LEFT = "1-north-south-table.jpg", "2-north-south-left.jpg"
PLAYERS = 2


def photo_to_tally(read: Callable[[Frame], Reading]) -> dict[str, Any]:
    """The draft sheet of the sample side and its tally: the table, and what the second player has left."""
    rules = load_rules(RULES)
    photos = [SidePhoto(1, None, read(picture(TABLE))), SidePhoto(2, 1, read(picture(LEFT)))]
    table = apply_corrections(photos, [], PLAYERS, rules)
    side = side_sheet("North–South", table, PLAYERS, SideFacts(went_out=True, out_player=0))
    sheet = round_sheet(RULES, 1, 2 * PLAYERS, [side])
    (tally,) = score(read_sheet(sheet), rules).sides
    return {
        "sheet": sheet,
        "total": tally.total,
        "lines": [f"{line.reason} = {line.points}" for line in tally.lines],
        "violations": [f"{violation.code} at {violation.where}" for violation in tally.violations],
    }


def tally_json(tally: dict[str, Any]) -> str:
    """A tally as JSON with a line for each line of points."""
    lines = ",\n".join(f"  {json.dumps(line, ensure_ascii=False)}" for line in tally["lines"])
    others = [f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in tally.items() if key != "lines"]
    return "{\n" + ",\n".join([*others, f' "lines": [\n{lines}\n ]']) + "\n}\n"


def tally_differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Says what differs between two tallies, a line each."""
    lines = [
        f"{TABLE}, {key}: {before[key]} -> {after[key]}" for key in ("total", "violations") if before[key] != after[key]
    ]
    lines += [f"{TABLE}, line {line} -> not there" for line in before["lines"] if line not in after["lines"]]
    lines += [f"{TABLE}, line not there -> {line}" for line in after["lines"] if line not in before["lines"]]
    if before["sheet"] != after["sheet"]:
        lines.append(f"{TABLE}, sheet: {before['sheet']} -> {after['sheet']}")
    return lines
