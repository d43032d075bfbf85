"""Which rules score an agreed round: those it was agreed under, whatever became of the rule set's file since."""

from __future__ import annotations

from scorer.rules import RulesError, RuleSet, rules_from_text
from scorer.sheets import SheetError
from webui.games.results.round_results import round_result
from webui.storage.records import GameRecord, RoundRecord


def rules_of_round(record: RoundRecord, rules: RuleSet) -> RuleSet:
    """The rules of a round: those it was agreed under, and before that those of its game.

    Raises:
        RulesError: the kept rules cannot be read by this version.
    """
    if record.agreed_text is None or record.agreed_rules is None:
        return rules
    if record.agreed_rules.hash == rules.content_hash:
        return rules  # the same object, so that its caches are shared
    return rules_from_text(record.agreed_rules.text)


def others_since(game: GameRecord, rules: RuleSet) -> tuple[int, ...]:
    """The numbers of the agreed rounds that a game's rule set, as it is now, would give other points.

    Rounds that were agreed under a rule set of another name keep it by a decision, and do not count.
    """
    changed = []
    for record in game.rounds:
        try:
            agreed = rules_of_round(record, rules)
            if agreed is rules or record.agreed_text is None or agreed.id != rules.id:
                continue
            points = [[side.points for side in round_result(record.agreed_text, each)] for each in (agreed, rules)]
            if points[0] != points[1]:
                changed.append(record.number)
        except (RulesError, SheetError):
            continue
    return tuple(changed)
