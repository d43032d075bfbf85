"""What needs a person's attention before a round is agreed: broken rules, and answers that cannot all be right.

Nothing here prevents agreement: people may know better. What a step still has to be asked is added in ``steps.py``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

from scorer.rules import RuleSet
from scorer.scoring.tally import Violation
from vision.groups.merge_photos import merge
from vision.values import Reading
from webui.corrections.answers import OUT
from webui.corrections.side_table import TableGroup, left_id
from webui.rounds.round_view import RoundView, SideView
from webui.rounds.stored_reading import parse_reading
from webui.rounds.typed.doubts import typed_doubts
from webui.storage.records import PhotoRecord
from webui.translation import _
from webui.wording import cards_text, listed

Kind = Literal["out", "table", "left", "unseen", "check"]
"""The kinds of steps."""
SAME_SHARE = 0.8
"""Two photos are of the same cards if so much of the fuller one lies in the other in the same arrangement."""
_FEWEST_SAME = 4
"""A few cards may lie alike by chance."""


@dataclass(frozen=True, slots=True)
class Attention:
    """One thing to look at, as a sentence, with the step and, where known, the place on its page."""

    kind: Kind
    side: int | None
    sentence: str
    anchor: str | None = None


def attention_mark(things: Iterable[Attention]) -> str:
    """A hash of things to look at, by which a form says over which of them it agrees; empty where there are none."""
    text = "\n".join(thing.sentence for thing in things)
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""


def problems_of(view: RoundView) -> tuple[Attention, ...]:
    """The broken rules and the contradictions of a round as it stands."""
    return tuple(dict.fromkeys([*_violations(view), *_typed(view), *_going_out(view), *_same_photos(view)]))


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that a side breaks, or one that several of its melds break alike.

    ``group`` is the first group that it is about, ``name`` what that is called, both None where it is about none;
    ``name`` is None also where ``message`` names the melds.
    """

    violation: Violation
    message: str
    group: TableGroup | None = None
    name: str | None = None


def broken_rules(side: SideView, rules: RuleSet, without: Collection[str] = ()) -> tuple[BrokenRule, ...]:
    """The rules that a side breaks, in the order of its table, melds with too few cards as one.

    ``without``: ids of groups that are left out.
    """
    group_at = {where: group for group, where in side.sheet.where.items() if group not in without}
    left_out = {side.sheet.where[group] for group in without if group in side.sheet.where}
    found = [one for one in side.all_violations if one.where not in left_out]
    small = [one for one in found if one.code == "meld-too-small" and one.where in group_at]
    broken = []
    for violation in found:
        group = side.table.group(group_at.get(violation.where, ""))
        if len(small) > 1 and violation in small:
            if violation is small[0]:
                melds = [side.table.group(group_at[one.where]) for one in small]
                broken.append(BrokenRule(violation, _too_small(melds, rules), group))
        else:
            broken.append(BrokenRule(violation, violation.message, group, side.name(group) if group else None))
    return tuple(broken)


def _too_small(melds: Iterable[TableGroup | None], rules: RuleSet) -> str:
    names = [rules.cards.plural(meld.rank) if meld and meld.rank else _("other cards") for meld in melds]
    return _(
        "%(number)s melds have fewer than %(least)s cards: %(melds)s.",
        number=len(names),
        least=rules.melds.least_cards,
        melds=listed(names),
    )


def _violations(view: RoundView) -> Iterator[Attention]:
    for side in view.sides:
        for broken in broken_rules(side, view.rules):
            if broken.violation.code == "out-with-cards" and side.facts.out_player is not None:
                continue  # told below, with the player's name
            kind = _kind(broken.violation)
            sentence = ": ".join(filter(None, (side.record.name, broken.name, broken.message)))
            about = side.index if kind in ("table", "left") else None
            yield Attention(kind, about, sentence, f"group-{broken.group.id}" if broken.group else None)


def _typed(view: RoundView) -> Iterator[Attention]:
    for side in view.sides:
        for sentence in typed_doubts(view, side.facts.typed) if side.facts.typed is not None else ():
            yield Attention("table", side.index, f"{side.record.name}: {sentence}")


def _kind(violation: Violation) -> Kind:
    """The step on which a violation is put right."""
    where = violation.where or ""
    if where.startswith("left"):
        return "left"
    if where.startswith(("melds", "laid", "buried")):
        return "table"
    return "out" if where == "went_out" else "unseen" if where else "check"


def _going_out(view: RoundView) -> Iterator[Attention]:
    """Who went out although cards are left, and who has none left although they did not go out."""
    for side in view.sides:
        if side.facts.typed is not None:  # whose cards nobody told one by one
            continue
        out = side.facts.out_player
        is_told = OUT in view.answered_steps and (out is not None or not side.facts.went_out)
        for player, name in enumerate(side.record.players):
            cards, place = _left(side, player), left_id(player)
            if player == out and cards:
                went = _("%(player)s went out but still has %(cards)s left.", player=name, cards=cards_text(cards))
                yield Attention("left", side.index, went, f"group-{place}")
            elif player != out and is_told and not cards and side.is_known(place):
                sentence = _("%(player)s has no cards left, but did not go out.", player=name)
                yield Attention("left", side.index, sentence, f"player{player}")


def _left(side: SideView, player: int) -> int:
    """The number of cards that a player has left."""
    group = side.table.group(left_id(player))
    return len(group.cards) if group else 0


def _same_photos(view: RoundView) -> Iterator[Attention]:
    """Photos that show the same cards in two places, so that these would count twice."""
    placed = [(side, photo) for side in view.sides if side.facts.typed is None for photo in side.photos]
    for (first_side, first), (second_side, second) in combinations(placed, 2):
        if (first.side, first.player) != (second.side, second.player) and _is_same(first, second):
            places = listed([_place(first_side, first), _place(second_side, second)])
            kind: Kind = "table" if second.player is None else "left"
            sentence = _("The same photo is used for %(places)s. Remove it from one of them.", places=places)
            yield Attention(kind, second.side, sentence, f"photo-{second.id}")


def _place(side: SideView, photo: PhotoRecord) -> str:
    name = side.record.name
    return (
        _("%(name)s’s table", name=name)
        if photo.player is None
        else _("%(player)s’s cards left", player=side.record.players[photo.player])
    )


def _is_same(first: PhotoRecord, second: PhotoRecord) -> bool:
    if first.file == second.file:
        return True
    if not first.reading or not second.reading:
        return False
    faces = [Counter(card["face"] for card in photo.reading["cards"]) for photo in (first, second) if photo.reading]
    most = max(faces[0].total(), faces[1].total())
    if (faces[0] & faces[1]).total() < max(_FEWEST_SAME, SAME_SHARE * most):
        return False
    return _same_share(parse_reading(first.reading), parse_reading(second.reading)) >= SAME_SHARE


@lru_cache(maxsize=64)  # a page is often shown again with the same photos
def _same_share(first: Reading, second: Reading) -> float:
    """The share of the cards of the fuller photo that both show in the same arrangement."""
    both = sum(len({reading for reading, _ in seen}) > 1 for seen in merge((first, second)).sources)
    return both / max(len(first.cards), len(second.cards))
