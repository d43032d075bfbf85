"""Which engine runs an event: that of teams, or that of moving partners."""

from __future__ import annotations

from typing import Protocol

from webui.events.evening import Evening
from webui.events.partner_event import PartnerEvening
from webui.events.ranking import Decision, Prizes, Row
from webui.events.team_event import TeamEvening
from webui.storage.events.facts import Draft, TableSides


class Format(Protocol):
    """What an event comes to, whatever its format."""

    def draft(self, number: int, seed: str) -> Draft:
        """Draws the tables of a stage; raises RefusedError where it is not known yet who plays."""

    def field(self, number: int) -> tuple[str, ...]:
        """Who plays a stage, as far as is known; those who sit out included."""

    def standings(self) -> list[Row]:
        """Everyone by place, those who went home last."""

    def prizes(self) -> list[Prizes]:
        """The prizes by the standings now; none before the evening is over."""

    def decisions(self) -> list[Decision]:
        """What the coordinator has to decide."""

    def reason(self, number: int, sides: TableSides, by_hand: bool) -> str:
        """Why these sides play each other in a stage, in a sentence."""

    def out_reason(self, number: int, name: str) -> str:
        """Why somebody sits out a stage, in a sentence."""


def format_of(evening: Evening) -> Format:
    """What an event comes to, by its format."""
    return TeamEvening(evening) if evening.is_teams else PartnerEvening(evening)
