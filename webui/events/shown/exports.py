"""An event as tables for spreadsheets and as data: draw, score cards, standings, results, and all of it together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.shown.cards import score_cards
from webui.games.csv_lines import Lines


def draw_lines(evening: Evening) -> Lines:
    """A line for each table of each stage that was drawn, and for each of those who sit it out, with the reason."""
    told, word, lines = format_of(evening), evening.stage_word, Lines()
    for stage in evening.stages:
        start = {word: stage.number, "status": stage.status, "number of the draw": stage.seed}
        for table, sides in enumerate(stage.tables, 1):
            reason = told.reason(stage.number, sides)
            one, two = (" & ".join(side) for side in sides)
            lines.append({**start, "table": table, "side 1": one, "side 2": two, "why": reason})
        for name in stage.out:
            reason = told.out_reason(stage.number, name)
            lines.append({**start, "table": "sits out", "side 1": name, "side 2": "", "why": reason})
    return lines


def card_lines(evening: Evening) -> Lines:
    """A line for each stage on each score card."""
    lines, notes = Lines(), {"out": "sat out", "absent": "did not play", "open": "not announced"}
    for card in score_cards(evening, format_of(evening)).values():
        for one in card.lines:
            rounds = dict.fromkeys((f"round {number}" for number in range(1, evening.rounds + 1)), None)
            rounds |= {f"round {number}": points for number, points in enumerate(one.rounds, 1)}
            lines.append(
                {
                    "name": card.name,
                    "group": card.entrant.group or "",
                    evening.stage_word: one.stage,
                    "table": one.table,
                    "partner": " & ".join(one.partners or (card.entrant.players if evening.is_teams else ())),
                    "against": " & ".join(one.against),
                    **rounds,
                    "points": one.total,
                    "note": notes.get(one.state, "average" if one.average else ""),
                }
            )
    return lines


def standing_lines(evening: Evening) -> Lines:
    """A line for each of those who take part: place, points of each stage with its table, and total."""
    lines, word = Lines(), evening.stage_word
    for row in format_of(evening).standings():
        stages: dict[str, Any] = {}
        for stage, of in zip(evening.stages, row.stages, strict=True):
            rests = "sat out" if row.name in stage.released_out else ""
            stages[f"{word} {stage.number}"] = of
            stages[f"{word} {stage.number} table"] = evening.table_of(row.name, stage.number) or rests
        place, note = ("", "went home") if row.gone else (row.place, "tied" if row.tied else "")
        group = evening.entrants[row.name].group or ""
        lines.append(
            {"place": place, "name": row.name, "group": group, **stages, "adjusted": row.adjusted, "total": row.total}
        )
        lines[-1]["note"] = note
    return lines


def result_lines(evening: Evening) -> Lines:
    """A line for each agreed round of each table."""
    lines = Lines()
    for (stage, table), rounds in sorted(evening.results.items()):
        released = evening.stage(stage).released
        if table > len(released):
            continue
        one, two = (" & ".join(side) for side in released[table - 1])
        start = {evening.stage_word: stage, "table": table}
        for number, points in sorted(rounds.items()):
            sides = {"side 1": one, "points 1": points[0], "side 2": two, "points 2": points[1]}
            lines.append({**start, "round": number, **sides})
    return lines


def adjustment_lines(evening: Evening) -> Lines:
    """A line for each penalty and for extra points, with the reason."""
    return [
        {"name": one.name, evening.stage_word: one.stage, "points": one.points, "reason": one.reason}
        for one in evening.adjusted.values()
    ]


FILES: dict[str, Callable[[Evening], Lines]] = {
    "draw": draw_lines,
    "score-cards": card_lines,
    "standings": standing_lines,
    "results": result_lines,
    "penalties": adjustment_lines,
}
"""What can be saved, by the name of its file."""


def evening_json(evening: Evening) -> dict[str, Any]:
    """The whole event as data: setup, who takes part, each stage with its draw and its agreed rounds, standings."""
    told, record = format_of(evening), evening.record
    entrants = evening.entrants.values()
    return {
        "name": record.name,
        "begun": record.created_at,
        "rules": record.rules,
        "setup": record.setup.model_dump(mode="json"),
        "entrants": [{"name": one.name, "players": one.players, "group": one.group} for one in entrants],
        "stages": [
            {
                "number": stage.number,
                "seed": stage.seed,
                "out": stage.released_out,
                "tables": [
                    {"table": at, "sides": sides, "rounds": evening.results.get((stage.number, at), {})}
                    for at, sides in enumerate(stage.released, 1)
                ],
            }
            for stage in evening.stages
            if stage.released
        ],
        "standings": [
            {
                "place": row.place or None,
                "name": row.name,
                "points": row.stages,
                "adjusted": row.adjusted,
                "total": row.total,
                "gone": row.gone,
            }
            for row in told.standings()
        ],
        "penalties": adjustment_lines(evening),
        "prizes": [{"prize": prize.name, "names": prize.names, "points": prize.total} for prize in told.prizes()],
    }
