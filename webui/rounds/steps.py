"""The steps of scoring a round, which of them are done, and the one thing to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webui.corrections.answers import OUT, TABLE, UNSEEN
from webui.rounds.round_view import RoundView, SideView

Kind = Literal["out", "table", "left", "unseen", "check"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step; ``side`` is whose cards it is about, ``doubts`` how many things there wait to be looked at."""

    kind: Kind
    title: str
    done: bool
    side: int | None = None
    doubts: int = 0


def steps_of(view: RoundView) -> tuple[Step, ...]:
    """Every step in the usual order: who went out, each side's table and left-over cards, the unseen, the check."""
    found = [Step("out", "Who went out", OUT in view.answered_steps)]
    for side in view.sides:
        name = side.record.name
        found.append(Step("table", f"{name}: table", side.is_known(TABLE), side.index, side.doubts(left=False)))
        found.append(Step("left", f"{name}: left over", not side.unknown_players, side.index, side.doubts(left=True)))
    if asks_unseen(view):
        uncounted = any(pile.doubt for side in view.sides for pile in side.piles)
        found.append(Step("unseen", "What no camera sees", UNSEEN in view.answered_steps and not uncounted))
    found.append(
        Step("check", "Check and agree", view.record.agreed_sheet is not None and not view.changed_since_agreed)
    )
    return tuple(found)


def asks_unseen(view: RoundView) -> bool:
    """Whether there is anything that no camera sees to be asked for."""
    rules = view.rules
    return bool(rules.exact_deal or rules.improper_meld or any(side.piles for side in view.sides))


def next_step(steps: tuple[Step, ...], here: Step | None = None) -> Step:
    """The first step after this one that is not done, or else before it; the check where all are done."""
    after = steps.index(here) + 1 if here else 0
    waiting = [step for step in (*steps[after:], *steps[:after]) if not step.done]
    return waiting[0] if waiting else steps[-1]


def step_at(steps: tuple[Step, ...], kind: Kind, side: int | None = None) -> Step:
    """The step of that kind and side; the check where there is none such."""
    return next((step for step in steps if (step.kind, step.side) == (kind, side)), steps[-1])


def next_player(side: SideView) -> int | None:
    """The player of a side whose left-over cards come next, None where those of all are known."""
    return side.unknown_players[0] if side.unknown_players else None
