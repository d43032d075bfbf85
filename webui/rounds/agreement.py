"""Decides when a round is agreed: once every side has agreed to the same sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webui.corrections.answers import Facts, agree, has_agreed
from webui.rounds.round_view import RoundView
from webui.storage.store import Store


def agree_to_sheet(store: Store, view: RoundView, sides: Iterable[int]) -> bool:
    """Records that sides agree to the round's sheet, and stores the sheet as agreed once all of them do.

    Both happen in one transaction. An agreement to an earlier sheet does not count.

    Args:
        store: the storage.
        view: the round with the sheet as these sides saw it; it can be scored.
        sides: the indices of the sides that agree.

    Returns:
        Whether all sides of the round agree, and it is agreed.
    """
    all_agree = False

    def sheet_if_all_agree(facts: Facts) -> dict[str, Any] | None:
        nonlocal all_agree
        all_agree = all(has_agreed(facts, side.index, view.sheet_hash) for side in view.sides)
        return view.sheet if all_agree else None

    store.rounds.change_facts(
        view.record.id, lambda facts: agree(facts, sides, view.sheet_hash), agreed_sheet=sheet_if_all_agree
    )
    return all_agree
