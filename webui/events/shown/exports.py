"""An event as a table for spreadsheets and as data: who sat where, what each got, the standings, the prizes."""

from __future__ import annotations

import csv
import io
from typing import Any

from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.games.score_pad import plain


def evening_csv(evening: Evening) -> str:
    """A line for each of those who take part: place, points of each stage, total, with the tables at which they sat."""
    text = io.StringIO()
    table = csv.writer(text)
    word = evening.stage_word
    heads = [f"{word} {stage.number}{what}" for stage in evening.stages for what in ("", " table")]
    table.writerow(["place", "name", "group", *heads, "total", "note"])
    for row in format_of(evening).standings():
        cells: list[object] = []
        for stage, of in zip(evening.stages, row.stages, strict=True):
            seat = evening.table_of(row.name, stage.number)
            rests = "sat out" if row.name in stage.released_out else ""
            cells += ["" if of is None else of, rests if seat is None else seat]
        group = evening.entrants[row.name].group or ""
        place = "" if row.gone else row.place
        note = "went home" if row.gone else "tied" if row.tied else ""
        table.writerow([place, plain(row.name), plain(group), *cells, row.total, note])
    return text.getvalue()


def evening_json(evening: Evening) -> dict[str, Any]:
    """The whole event as data: setup, who takes part, each stage with its draw and its agreed rounds, standings."""
    told = format_of(evening)
    return {
        "name": evening.record.name,
        "begun": evening.record.created_at,
        "rules": evening.record.rules,
        "setup": evening.record.setup.model_dump(mode="json"),
        "entrants": [
            {"name": one.name, "players": list(one.players), "group": one.group} for one in evening.entrants.values()
        ],
        "stages": [
            {
                "number": stage.number,
                "seed": stage.seed,
                "out": list(stage.released_out),
                "tables": [
                    {
                        "table": number,
                        "sides": [list(side) for side in sides],
                        "rounds": {
                            str(round): list(points)
                            for round, points in sorted(evening.results.get((stage.number, number), {}).items())
                        },
                    }
                    for number, sides in enumerate(stage.released, 1)
                ],
            }
            for stage in evening.stages
            if stage.released
        ],
        "standings": [
            {"place": row.place, "name": row.name, "points": list(row.stages), "total": row.total, "gone": row.gone}
            for row in told.standings()
        ],
        "prizes": [{"prize": prize.name, "names": list(prize.names), "points": prize.total} for prize in told.prizes()],
    }
