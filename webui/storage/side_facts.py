"""What people answered about one side of a round, as the facts of the round hold it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt, StrictStr

from scorer.data import Frozen
from scorer.sheets import Text, TypedSide

_Few = Annotated[StrictInt, Field(ge=0, le=999)]


class SideFacts(Frozen):
    """Bonuses and penalties of one side in one round, and what no camera sees.

    ``out_player`` is the index of the player who went out, None where unknown; ``nothing`` are the areas where this
    side has no cards: ``table``, ``left0`` for its first player's left-over cards; ``bonuses`` are how often the side
    got each named bonus or penalty of the rules. ``typed`` is what people counted, which then counts in place of the
    side's cards.
    """

    went_out: StrictBool = False
    exact_deals: _Few = 0
    improper_melds: _Few = 0
    out_player: Annotated[StrictInt, Field(ge=0, le=98)] | None = None
    nothing: frozenset[StrictStr] = Field(default=frozenset(), max_length=100)
    bonuses: dict[Annotated[Text, Field(max_length=200)], _Few] = Field(default={}, max_length=100)
    typed: TypedSide | None = None
