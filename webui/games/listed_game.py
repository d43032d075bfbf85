"""A game as an entry of a list: its progress, or why it cannot be computed."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.rules import RulesError, load_rules
from scorer.sheets import SheetError
from webui.games.progress import GameProgress, game_progress
from webui.storage.records import GameRecord


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list; ``error`` is a sentence why its points cannot be computed, else None."""

    game: GameRecord
    progress: GameProgress | None
    error: str | None = None


def listed_game(game: GameRecord) -> ListedGame:
    """The list entry of a game. A game that can no longer be scored must not keep the others from the list."""
    try:
        return ListedGame(game, game_progress(game, load_rules(game.rules)))
    except (RulesError, SheetError) as error:
        return ListedGame(game, None, str(error))
