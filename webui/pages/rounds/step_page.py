"""What the pages of all steps of a round share: the list of steps, the next step, the standing, undo."""

from __future__ import annotations

from typing import Any

from flask import render_template, url_for

from webui.context.services import services
from webui.games.log.change_log import LogLine, log_lines, step_summary
from webui.rounds.attention import Attention, Kind
from webui.rounds.round_view import RoundView
from webui.rounds.standing import standing
from webui.rounds.steps import Step, needs_attention, next_player, next_step, step_at, steps_of
from webui.storage.records import LogEntry

_ENDPOINTS = {"out": "round.out", "table": "side.show", "left": "side.left", "unseen": "round.unseen"}


def step_url(view: RoundView, step: Step, anchor: str | None = None) -> str:
    """The URL of a step's page, or of a place on it."""
    values: dict[str, Any] = {"game_id": view.game.id, "number": view.record.number}
    if step.side is not None:
        values["side"] = step.side
    return url_for(_ENDPOINTS.get(step.kind, "round.check"), _anchor=anchor, **values)


def attention_url(view: RoundView, thing: Attention) -> str:
    """The URL of the place where something is put right."""
    values: dict[str, Any] = {"game_id": view.game.id, "number": view.record.number}
    if thing.side is not None:
        values["side"] = thing.side
    return url_for(_ENDPOINTS.get(thing.kind, "round.check"), _anchor=thing.anchor, **values)


def render_step(template: str, view: RoundView, kind: Kind, step_side: int | None = None, **values: Any) -> str:
    """The page of a step.

    Args:
        template: extends ``round/step.html``.
        view: the round.
        kind: the kind of step.
        step_side: the side that the step is about, if it is about one.
        values: further values for the template.
    """
    steps = steps_of(view)
    step = step_at(steps, kind, step_side)
    task = next_step(steps, step) if step.done else step
    task_side = view.sides[task.side] if task.side is not None else None
    last = services().store.rounds.last_undoable_step(view.record.id)
    return render_template(
        template,
        view=view,
        steps=steps,
        step=step,
        task=task,
        task_side=task_side,
        task_player=next_player(task_side) if task_side and task.kind == "left" else None,
        step_url=step_url,
        attention=needs_attention(view, steps) if kind == "check" else (),
        attention_url=attention_url,
        standing=standing(view),
        undo=changes_in_words(view, last),
        step_summary=step_summary,
        **values,
    )


def changes_in_words(view: RoundView, entries: tuple[LogEntry, ...]) -> list[LogLine]:
    """Changes of a round as lines of the log, newest first."""
    ids = {entry.id for entry in entries}
    store = services().store
    lines = log_lines(view.game, store.log(view.game.id), view.rules, store.agreed_sheets(view.game.id))
    return [line for line in lines if line.id in ids]
