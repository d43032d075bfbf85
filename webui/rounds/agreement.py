"""Decides what may be agreed, and when a round is: once every side has agreed to the same sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webui.corrections.answers import Facts, agree, has_agreed
from webui.rounds.round_view import RoundView
from webui.storage.kept_rules import kept
from webui.storage.store import Store


class UnscorableRoundError(Exception):
    """The round has no sheet that can be scored; the text says why."""


class PointsChangedError(Exception):
    """The sheet is no longer the one that was shown."""


def agree_to_sheet(store: Store, view: RoundView, sides: Iterable[int], shown_hash: str) -> bool:
    """Records that sides agree to the round's sheet, and stores it with its rules once all of them do.

    Both happen in one transaction. An agreement to an earlier sheet does not count.

    Args:
        store: the storage.
        view: the round as it stands.
        sides: the indices of the sides that agree.
        shown_hash: the hash of the sheet that these sides were shown.

    Returns:
        Whether all sides of the round agree, and it is agreed.

    Raises:
        UnscorableRoundError: the round cannot be scored.
        PointsChangedError: the sheet has changed since it was shown.
    """
    if view.sheet_error is not None:
        raise UnscorableRoundError(view.sheet_error)
    if shown_hash != view.sheet_hash:
        raise PointsChangedError
    all_agree = False

    def sheet_if_all_agree(facts: Facts) -> dict[str, Any] | None:
        nonlocal all_agree
        all_agree = all(has_agreed(facts, side.index, view.sheet_hash) for side in view.sides)
        return view.sheet if all_agree else None

    store.rounds.change_facts(
        view.record.id,
        lambda facts: agree(facts, sides, view.sheet_hash),
        agreed_sheet=sheet_if_all_agree,
        rules=kept(view.rules),
    )
    return all_agree
