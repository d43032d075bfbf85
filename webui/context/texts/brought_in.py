"""What the page and the command line tell of a file that was brought in: what was left out, or is otherwise."""

from __future__ import annotations

from scorer.rules import list_rules, load_rules
from webui.decks.deck_archive import came_under_another_name
from webui.house_rules.refusals import broken_file_reason
from webui.storage.backup.backups import ImportResult
from webui.storage.backup.checks.process import CheckedGames
from webui.storage.files.deck_files import DECKS, LEARNT
from webui.storage.kept_rules import OWN_RULES
from webui.translation import _, ngettext
from webui.wording import name_from_id


def brought_in(result: ImportResult) -> list[str]:
    """Sentences about an import, without their full stops."""
    names = [
        _(
            "%(written)s now counts as %(name)s in all totals, as the file says; the page of %(name)s can undo it",
            written=written,
            name=name,
        )
        for written, name in result.renamed
    ]
    others = [
        _(
            "the house rules %(rules)s are different here: rounds already agreed keep their old rules, "
            "and new rounds use the rules here",
            rules=load_rules(id).name if id in list_rules() else name_from_id(id),
        )
        for id in result.other_rules
    ]
    decks = [came_under_another_name(deck.came_as, deck.name) for deck in result.decks if deck.name != deck.came_as]
    return [*names, *left_out(result.left_out, result.checked), *others, *decks]


def left_out(photos: int, checked: CheckedGames) -> list[str]:
    """Sentences about what was not brought in, without their full stops: so many photos, and what is not valid."""
    told = []
    if photos:
        told.append(
            ngettext(
                "%(num)s photo was left out because of damage; the cards and points are all still there",
                "%(num)s photos were left out because of damage; the cards and points are all still there",
                photos,
            )
        )
    for name in checked.left_out:
        told.append(
            _("the game %(name)s was left out because it is not a valid game; ask for another export", name=name)
        )
    if checked.more:
        told.append(
            ngettext(
                "%(num)s more game was left out for the same reason",
                "%(num)s more games were left out for the same reason",
                checked.more,
            )
        )
    return told + [_file_left_out(*file) for file in checked.refused.items()]


def _file_left_out(path: str, why: str) -> str:
    folder, _slash, name = path.removesuffix(".toml").rpartition("/")
    if folder == OWN_RULES:
        reason = broken_file_reason(why).removesuffix(".")
        return _("the house rules %(name)s were left out. %(why)s", name=name_from_id(name), why=reason)
    if path.startswith(f"{DECKS}/{LEARNT}"):
        return why
    if path.startswith(DECKS):
        return _("the deck %(name)s was left out: %(why)s", name=name_from_id(path.split("/")[1]), why=why)
    return _("the parts of the table were left out: %(why)s", why=why)
