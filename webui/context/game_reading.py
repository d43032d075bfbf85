"""Reading pictures of a game's cards at once, outside of the photo queue: the live picture, a pile that is dealt."""

from __future__ import annotations

from collections.abc import Callable

from scorer.rules import RuleSet
from vision.values import Frame, Reading
from webui.context.services import services
from webui.decks.in_play import deck_in_play
from webui.reading.reader_service import house_rules
from webui.storage.records import GameRecord


def reader_of(game: GameRecord, rules: RuleSet) -> Callable[[Frame], Reading]:
    """Reads a picture by the rules of a game, with the cards in play; may be called in any thread, later."""
    reader, pictures = services().reader, services().pictures
    house = house_rules(rules, game.players, deck_in_play(game.decks, rules))
    return lambda frame: reader.get().read(frame, house, pictures.of(game.decks))
