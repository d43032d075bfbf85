"""What every page of a round has: the steps, where one is, what comes next, and the standing always in sight."""

from __future__ import annotations

from typing import Any

from flask import render_template, url_for

from webui.context.services import services
from webui.pages.rounds.undo import in_words
from webui.rounds.round_view import RoundView
from webui.rounds.standing import standing
from webui.rounds.steps import Kind, Step, next_player, next_step, step_at, steps_of

_ENDPOINTS = {"out": "round.out", "table": "side.show", "left": "side.left", "unseen": "round.unseen"}


def step_address(view: RoundView, step: Step) -> str:
    """The page of a step."""
    place: dict[str, Any] = {"game_id": view.game.id, "number": view.record.number}
    if step.side is not None:
        place["side"] = step.side
    return url_for(_ENDPOINTS.get(step.kind, "round.check"), **place)


def render_step(template: str, view: RoundView, kind: Kind, of_side: int | None = None, **more: Any) -> str:
    """A step's page."""
    steps = steps_of(view)
    here = step_at(steps, kind, of_side)
    task = here if not here.done else next_step(steps, here)
    task_side = view.sides[task.side] if task.side is not None else None
    last = services().store.rounds.last_undoable_change(view.record.id)
    return render_template(
        template,
        view=view,
        steps=steps,
        step=here,
        task=task,
        task_side=task_side,
        task_player=next_player(task_side) if task_side and task.kind == "left" else None,
        step_address=step_address,
        standing=standing(view),
        undo=in_words(view, (last,))[0] if last else None,
        **more,
    )
