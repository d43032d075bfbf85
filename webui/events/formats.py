"""Which engine runs an event: that of teams, or that of moving partners."""

from __future__ import annotations

from webui.events.evening import Evening
from webui.events.partner_event import PartnerEvening
from webui.events.ranking import Format
from webui.events.team_event import TeamEvening


def format_of(evening: Evening) -> Format:
    """What an event comes to, by its format."""
    return TeamEvening(evening) if evening.is_teams else PartnerEvening(evening)
