"""Agreed rounds that were changed and not agreed again since: their points are those of before the change."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.rules import RulesError
from webui.rounds.round_view import view_round
from webui.storage.store import Store


def unsettled_rounds(store: Store, game_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """The numbers of the agreed rounds whose sheet has changed since, by the id of their game, where there are any.

    Only rounds in which something was written since their agreement are looked at, so that lists stay quick.
    """
    found: dict[int, tuple[int, ...]] = {}
    touched = store.touched_since_agreed(game_ids)
    for game_id in sorted({game_id for game_id, _ in touched}):
        game = store.game(game_id)
        changed = []
        for record in game.rounds if game is not None else ():
            if game is None or (game_id, record.number) not in touched or record.agreed_text is None:
                continue
            try:
                if view_round(game, record).changed_since_agreed:
                    changed.append(record.number)
            except RulesError:  # the game's own page says so
                continue
        if changed:
            found[game_id] = tuple(changed)
    return found
