"""The steps of scoring a round, which of them are done, and which comes next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from webui.corrections.answers import OUT, TABLE, UNSEEN
from webui.rounds.attention import Attention, Kind, problems_of
from webui.rounds.round_view import RoundView, SideView
from webui.translation import _, ngettext


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    ``side`` is the index of the side whose cards it is about, ``doubts`` their number of open doubts, ``problems`` the
    number of broken rules and contradictions that are put right on it. ``waits_for`` is what somebody has to do before
    it is done, a doubt that nobody may leave open; ``anchor`` the place of that on its page.
    """

    kind: Kind
    title: str
    done: bool
    side: int | None = None
    doubts: int = 0
    problems: int = 0
    waits_for: str = ""
    anchor: str | None = None

    @property
    def attention(self) -> int:
        """How many things on it are to be looked at."""
        return self.doubts + self.problems


def steps_of(view: RoundView) -> tuple[Step, ...]:
    """All steps in their usual order: who went out, each side's table and left-over cards, the unseen, the check."""
    steps = [Step("out", _("Who went out"), OUT in view.answered_steps)]
    for side in view.sides:
        name = side.record.name
        steps.append(_table(view, side))
        steps.append(
            Step(
                "left",
                _("%(name)s: cards left", name=name),
                not side.unknown_players,
                side.index,
                side.doubts(left=True),
            )
        )
    if asks_unseen(view):
        steps.append(Step("unseen", _("Bonuses and penalties"), UNSEEN in view.answered_steps))
    agreed = view.record.agreed_text is not None and not view.changed_since_agreed
    steps.append(Step("check", _("Check and agree"), agreed))
    found = problems_of(view)
    places = {(step.kind, step.side) for step in steps}

    books_told = all(side.is_known(TABLE) and not side.uncounted for side in view.sides if side.facts.went_out)

    def problems(step: Step) -> int:
        if step.kind == "out" and not books_told:
            return 0  # whether they may go out shows once their books are told
        last = step.kind == "check"
        at_check = sum((thing.kind, thing.side) not in places for thing in found) if last else 0
        return sum((thing.kind, thing.side) == (step.kind, step.side) for thing in found) + at_check

    return tuple(replace(step, problems=problems(step)) for step in steps)


def _table(view: RoundView, side: SideView) -> Step:
    """The step of a side's cards on the table."""
    waits_for, anchor = "", None
    asked = [one for one in view.outside if not one.is_told] if side.table.is_watched and not side.facts.typed else []
    if asked:
        waits_for, anchor = _("Say whose the cards outside the boxes are"), "outside"
    elif piles := side.uncounted:
        waits_for, anchor = _("Count the %(piles)s", piles=side.uncounted_names), f"pile-{piles[0].id}"
    title = _("%(name)s: table", name=side.record.name)
    done = side.is_known(TABLE) and not waits_for
    return Step(
        "table", title, done, side.index, side.doubts(left=False) + len(asked), waits_for=waits_for, anchor=anchor
    )


def needs_attention(view: RoundView, steps: tuple[Step, ...]) -> tuple[Attention, ...]:
    """Everything that should be looked at before the round is agreed, in the order of the steps."""
    found = list(problems_of(view))
    things: list[Attention] = []
    for step in steps:
        if not step.done and step.kind != "check" and not step.waits_for:
            things.append(Attention(step.kind, step.side, _("%(title)s: not done yet.", title=step.title)))
        if step.doubts:
            sentence = ngettext(
                "%(title)s: %(num)s thing to look at.",
                "%(title)s: %(num)s things to look at.",
                step.doubts,
                title=step.title,
            )
            things.append(Attention(step.kind, step.side, sentence, "doubts"))
        things += [thing for thing in found if (thing.kind, thing.side) == (step.kind, step.side)]
    return (*things, *(thing for thing in found if thing not in things))


def asks_unseen(view: RoundView) -> bool:
    """Whether these rules have bonuses or penalties, which no camera sees."""
    typed = [side.facts.typed for side in view.sides]
    if all(one is not None and one.total is not None for one in typed):
        return False  # a total holds everything
    return bool(view.rules.asked)


def next_step(steps: tuple[Step, ...], current: Step | None = None) -> Step:
    """The next step that is not done, from ``current`` on and then from the start; the check where all are done."""
    after = steps.index(current) + 1 if current else 0
    open_steps = [step for step in (*steps[after:], *steps[:after]) if not step.done]
    return open_steps[0] if open_steps else steps[-1]


def step_at(steps: tuple[Step, ...], kind: Kind, side: int | None = None) -> Step:
    """The step of this kind and side; the check where there is none."""
    return next((step for step in steps if (step.kind, step.side) == (kind, side)), steps[-1])


def next_player(side: SideView) -> int | None:
    """The next player whose left-over cards are unknown, first one who has some already; None where all are known."""
    begun = [group.player for group in side.table.groups if group.kind == "left" and group.cards]
    return min(side.unknown_players, key=lambda player: (player not in begun, player), default=None)
