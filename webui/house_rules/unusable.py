"""House rules by which something is played and that cannot be used: missing, or in a file that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from scorer.rules import RulesError, UnknownRulesError, load_rules, rules_from_text
from webui.house_rules.refusals import broken_file_reason
from webui.storage.events.facts import EventRecord
from webui.storage.records import GameRecord
from webui.translation import _, ngettext
from webui.wording import against, listed, local_day, name_from_id

_MOST_NAMED = 3
"""Games that are named; of the others their number is said."""


def unusable_rules(games: Iterable[GameRecord], evenings: Iterable[EventRecord]) -> list[str]:
    """A sentence about each rule set that cannot be used and by which some of these are played: which they are, and
    what to do. The games of an evening are not named beside it.
    """
    played: dict[str, list[GameRecord | EventRecord]] = {}
    own: list[GameRecord | EventRecord] = [*evenings, *(game for game in games if game.event is None)]
    for one in own:
        played.setdefault(one.rules, []).append(one)
    sentences = []
    for rules_id, of in sorted(played.items()):
        try:
            load_rules(rules_id)
        except RulesError as error:
            sentences.append(
                _(
                    "%(why)s Played by them: %(games)s. To see the points, import a file that has these rules, or open "
                    "the game and choose different rules.",
                    why=rules_reason(error, of),
                    games=_named(of),
                )
            )
    return sentences


def rules_reason(error: RulesError, played: Iterable[GameRecord | EventRecord] = ()) -> str:
    """Why rules cannot be used: they are missing, or what is wrong with their file; ``played`` tell what they are
    called.
    """
    id = error.id if isinstance(error, UnknownRulesError) else str(error).partition(".toml: ")[0]
    name = _name(id, played)
    if isinstance(error, UnknownRulesError):
        return _("The house rules %(rules)s are missing here.", rules=name)
    return _("The house rules %(rules)s can’t be used. %(why)s", rules=name, why=broken_file_reason(str(error)))


def _name(rules_id: str, played: Iterable[GameRecord | EventRecord]) -> str:
    """What rules were called when a round was agreed under them; where none was, as their id says."""
    rounds = (record for one in played if isinstance(one, GameRecord) for record in one.rounds)
    for record in rounds:
        with suppress(RulesError):  # kept by another version
            if record.agreed_rules and (rules := rules_from_text(record.agreed_rules.text)).id == rules_id:
                return rules.name
    return name_from_id(rules_id)


def _named(played: list[GameRecord | EventRecord]) -> str:
    parts = [
        _(
            "%(game)s (%(day)s)",
            game=one.name if isinstance(one, EventRecord) else against(side.name for side in one.sides),
            day=local_day(one.created_at),
        )
        for one in played[:_MOST_NAMED]
    ]
    more = len(played) - len(parts)
    return listed([*parts, ngettext("%(num)s more game", "%(num)s more games", more)] if more else parts)
