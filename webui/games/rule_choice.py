"""The rule sets that pages offer, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from scorer.deck import load_deck
from scorer.rules import RuleSet, list_rules, load_rules, rules_file
from webui.decks.in_play import refused_by
from webui.games.new_game import player_counts
from webui.translation import _, ngettext
from webui.wording import listed, name_key

SHEETS = ("golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood")
"""The ids of the five rule sheets, in the order in which they are offered."""


def offered_rules() -> tuple[RuleSet, ...]:
    """All readable rule sets: the five sheets first, then those of published pages and the user's own."""
    ids = list_rules()
    sheets = [id for id in SHEETS if id in ids]
    return tuple(load_rules(id) for id in (*sheets, *(id for id in ids if id not in SHEETS)))


def rules_for(deck: str, usual: RuleSet) -> RuleSet | None:
    """The rule set that a game with a deck begins with: one for such cards, or else one that takes them; None where
    none does.

    Args:
        deck: its id.
        usual: the rule set that is preferred where it fits as well.
    """
    fitting = [rules for rules in (usual, *offered_rules()) if not refused_by(rules, [deck])]
    profile = load_deck(deck)
    return next((rules for rules in fitting if rules.all_decks[0].id == profile.id), next(iter(fitting), None))


def offered_names(rule_sets: Iterable[RuleSet]) -> dict[str, str]:
    """What a list calls each rule set, by its id."""
    return names_apart({rules.id: rules.name for rules in rule_sets})


def for_whom(rules: RuleSet) -> str:
    """For how many players rules are: ``4 players``, ``2 to 6 players``, ``3, 4 and 6 players``."""
    counts = player_counts(rules)
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return _("%(first)s to %(last)s players", first=counts[0], last=counts[-1])
    return ngettext("%(counts)s player", "%(counts)s players", counts[-1], counts=listed(map(str, counts)))


def book_worth(rules: RuleSet) -> str:
    """What a clean and a dirty book are worth: ``books 500 and 300``."""
    return _("books %(clean)s and %(dirty)s", clean=rules.books.clean, dirty=rules.books.dirty)


def in_brief(rules: RuleSet, players: int) -> str:
    """What one asks of rules before one chooses them, for a number of players that they allow."""
    packs = ngettext("%(num)s pack of cards", "%(num)s packs of cards", rules.packs.for_players(players))
    if len(player_counts(rules)) > 1:
        packs = _("%(packs)s for %(players)s", packs=packs, players=players)
    return _(
        "%(players)s, %(packs)s; a clean book is worth %(clean)s, a dirty one %(dirty)s.",
        players=for_whom(rules),
        packs=packs,
        clean=rules.books.clean,
        dirty=rules.books.dirty,
    )


def names_apart(named: Mapping[str, str]) -> dict[str, str]:
    """The names by id, with the id behind those that several have.

    The page gives no name twice, but files come from other computers and from people's own hands too.
    """
    keys = {id: name_key(name) for id, name in named.items()}
    times = Counter(keys.values())
    return {id: f"{name} ({id})" if times[keys[id]] > 1 else name for id, name in named.items()}


def is_user_rule_set(rules_id: str, folder: Path) -> bool:
    """Whether a rule set's file is in the folder of the user's rule sets."""
    return rules_file(rules_id).parent == folder
