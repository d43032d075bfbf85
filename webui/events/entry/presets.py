"""The ways to play an event that are offered, and the rules of an event as it was set up."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.events.event import AT_A_TABLE
from scorer.rules import RuleSet
from webui.storage.events.facts import Setup
from webui.translation import N_


@dataclass(frozen=True, slots=True)
class Preset:
    """A way to play: its name, one sentence about it, the id of its rule set, and what it sets."""

    key: str
    name: str
    sentence: str
    rules: str
    setup: Setup


PRESETS = (
    Preset(
        "golden-games",
        N_("Golden Games"),
        N_(
            "Teams of two stay together. They draw tables, play a game, the better half plays a second game, both "
            "games add up, and the first three get medals."
        ),
        "golden-games",
        Setup(format="teams", stages=2, cut="half", prizes=("gold", "silver", "bronze")),
    ),
    Preset(
        "tournament-play",
        N_("Tournament Play"),
        N_(
            "Everyone plays for themselves with changing partners. The winners of each table move up a table, and the "
            "highest man and the highest woman win."
        ),
        "tournament-play",
        Setup(format="moving-partners", stages=4, groups=("man", "woman"), prizes=("highest",)),
    ),
    Preset(
        "own",
        N_("Your own way"),
        N_("You choose the house rules, how many games or sets you play, who plays on, and the prizes."),
        "golden-games",
        Setup(format="teams", stages=3, cut="all", prizes=("first", "second", "third")),
    ),
)


def preset(key: str) -> Preset:
    """The preset of this key, the first one where there is none."""
    return next((one for one in PRESETS if one.key == key), PRESETS[0])


def plays_events(rules: RuleSet) -> bool:
    """Whether an event can be played by a rule set: with two sides of two at each table."""
    return (2, 2) in rules.sides_for(AT_A_TABLE)


def most_teams(rules_id: str, setup: Setup) -> int | None:
    """How many teams the printed rules of an event have room for (Golden Games, PLAY 1); None where they do not say."""
    return 16 if rules_id == "golden-games" and setup.format == "teams" else None
