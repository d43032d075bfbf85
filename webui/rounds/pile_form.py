"""Counts of squared piles from a form: the number of cards, and of each wild and cap among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.faces import Face
from webui.corrections.side_table import TableGroup
from webui.rounds.round_view import RoundView
from webui.storage.changes import Count
from webui.translation import _, ngettext
from webui.whole_numbers import whole_number
from webui.wording import listed, short_name

_MAX_CARDS = 60


class PileError(ValueError):
    """No pile can have such a count; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class PileField:
    """A field of the form for cards of one rank: its name, what it asks for, and how many there are now."""

    name: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class PileQuestions:
    """What the form asks of a pile.

    Attributes:
        ranks: the ranks to choose from; none where the rank is known and is not asked for.
        cards: the number of all its cards, as it is or is assumed.
        is_clean: whether it is assumed to hold no wilds, as its top card is red.
        assumed: says why it is assumed to be clean or dirty; empty if nothing tells.
        parts: a field for each wild and each cap of these rules.
        strange: says which cards seen are no part of such a pile; empty if there are none.
    """

    ranks: tuple[str, ...]
    cards: int
    is_clean: bool
    assumed: str
    parts: tuple[PileField, ...]
    strange: str


def pile_questions(view: RoundView, group: TableGroup, ask_rank: bool) -> PileQuestions:
    """What to ask of a pile, or of a spread meld that is said to be one."""
    rules, deck = view.rules, view.deck
    faces = [card.face for card in group.cards]
    is_pile = group.kind == "pile"
    wilds = group.wilds if is_pile else tuple(face for face in faces if rules.is_wild(face))
    caps = group.caps if is_pile else tuple(face for face in faces if rules.is_cap(face))
    strange = _strange(view, group, group.rank) if group.rank else []
    counts = Counter(face.rank for face in (*wilds, *caps))
    parts = [PileField(f"wild-{rank}", deck.plural(rank), counts[rank]) for rank in _wild_ranks(view)]
    parts += [
        PileField(f"cap-{rank}", _("%(cards)s on top", cards=deck.plural(rank)), counts[rank])
        for rank in _cap_ranks(view)
    ]
    fewest = rules.book_size + len(caps) + len(strange)
    meldable = tuple(rank for rank in rules.meldable_ranks if rank in deck.ranks)
    is_clean = group.is_uncounted and group.rank is not None and not wilds and faces[0].is_red
    return PileQuestions(
        ranks=meldable if ask_rank or group.rank is None else (),
        cards=group.count if is_pile else max(len(faces), fewest),
        is_clean=is_clean,
        assumed=_assumed(group, is_clean),
        parts=tuple(parts),
        strange=_not_in_pile(strange) if strange else "",
    )


def _assumed(pile: TableGroup, is_clean: bool) -> str:
    if is_clean:
        return _("The red card on top says that it is clean.")
    if pile.is_uncounted and pile.wilds and not {card.face for card in pile.cards} & set(pile.wilds):
        return _("The black card on top says that it is dirty.")
    return ""


def read_pile(form: Mapping[str, str], view: RoundView, group: TableGroup) -> Count:
    """Reads the count of a pile, or of a spread meld that is said to be one.

    Args:
        form: the submitted fields: ``cards``, ``wild-`` with each wild rank, ``cap-`` with each rank that caps, and
            ``rank`` where that was asked for.
        view: the round.
        group: the pile or meld.

    Raises:
        PileError: no pile can have such a count.
    """
    rank = form.get("rank") or group.rank
    if rank not in view.deck.ranks:
        raise PileError(_("Say what rank the book is, then count all the cards again."))
    cards = whole_number(form.get("cards", ""))
    if cards is None or not 1 <= cards <= _MAX_CARDS:
        raise PileError(
            _(
                "How many cards are in the book? Type a whole number from 1 to %(most)s, its top card and the wilds "
                "among them.",
                most=_MAX_CARDS,
            )
        )
    wilds = [face for wild in _wild_ranks(view) for face in _faces(form, view, "wild", wild)]
    caps = [face for cap in _cap_ranks(view) for face in _faces(form, view, "cap", cap)]
    strange = _strange(view, group, rank)
    if cards < len(wilds) + len(caps) + len(strange) + (rank not in view.rules.wilds):
        beside = [*([_("those wilds")] if wilds else []), *([_("those caps")] if caps else [])]
        beside += [_("the %(cards)s", cards=listed(map(short_name, strange)))] if strange else []
        beside.append(_("a natural card"))
        raise PileError(
            ngettext(
                "A book of %(num)s card cannot hold %(cards)s; count all the cards again, and the wilds.",
                "A book of %(num)s cards cannot hold %(cards)s; count all the cards again, and the wilds.",
                cards,
                cards=listed(beside),
            )
        )
    return Count(group=group.id, rank=rank, cards=cards, wilds=tuple(wilds), caps=tuple(caps))


def _not_in_pile(faces: Sequence[Face]) -> str:
    return ngettext(
        "%(cards)s does not belong in this book.",
        "%(cards)s do not belong in this book.",
        len(faces),
        cards=listed(map(short_name, faces)),
    )


def _wild_ranks(view: RoundView) -> list[str]:
    """The wild ranks of the cards in play, in the order of the rules."""
    return [rank for rank in view.rules.wilds if rank in view.deck.ranks]


def _cap_ranks(view: RoundView) -> list[str]:
    return list(dict.fromkeys(face.rank for face in view.deck.faces if view.rules.is_cap(face)))


def _strange(view: RoundView, group: TableGroup, rank: str | None) -> list[Face]:
    """The cards of a group that are no part of a pile of a rank."""
    seen = [card.face for card in group.cards]
    hidden = list((Counter(group.others) - Counter(seen)).elements())
    rules = view.rules
    return [
        face for face in (*seen, *hidden) if face.rank != rank and not rules.is_wild(face) and not rules.is_cap(face)
    ]


def _faces(form: Mapping[str, str], view: RoundView, part: str, rank: str) -> list[str]:
    """So many faces of a rank as a field says; their suits take turns, which keeps each within its number of copies.

    The suits in a pile are invisible, and no rule needs them.
    """
    number = whole_number(form.get(f"{part}-{rank}", "").strip() or "0")
    if number is None:
        raise PileError(_("How many wilds are in the book? Type a whole number for each, 0 for none."))
    faces = [str(face) for face in view.deck.faces if face.rank == rank]
    return [faces[turn % len(faces)] for turn in range(min(_MAX_CARDS, number))]
