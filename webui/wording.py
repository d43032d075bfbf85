"""Texts for people: names of cards, doubts as sentences, counts, dates."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache

import regex

from scorer.deck import spoken, suitless_wilds
from scorer.faces import Face
from scorer.sheets import TypedBooks, TypedSide
from vision.doubts import Doubt
from webui.translation import N_, _, gettext, ngettext

_RANKS = {"A": N_("ace"), "J": N_("jack"), "Q": N_("queen"), "K": N_("king")}
OF_SUIT = {
    "C": N_("%(rank)s of clubs"),
    "D": N_("%(rank)s of diamonds"),
    "H": N_("%(rank)s of hearts"),
    "S": N_("%(rank)s of spades"),
}
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMED = {"JK": N_("joker")}
_MAX_FILE_NAME = 60

_CARD_DOUBTS: dict[str, str] = {
    Doubt.LOW_CONFIDENCE: N_("The camera is not sure about this card."),
    Doubt.ODD_ONE_OUT: N_("This card does not match the ones next to it."),
    Doubt.UNKNOWN_FACE: N_("The camera doesn’t know this card. It counts nothing until you say what it is."),
    Doubt.TOO_MANY_COPIES: N_("There are more of this card than the packs have."),
    Doubt.DECIDED_BY_RULES: N_("The camera was not sure and went by the cards next to it."),
    Doubt.LOOKS_DIFFER: N_("This card looked different from picture to picture."),
    Doubt.SUIT_UNSURE: N_("The camera is not sure of the suit of this card."),
    Doubt.PERHAPS_ANOTHER: N_("There may be another card next to this one."),
}
_GROUP_DOUBTS: dict[str, str] = {
    Doubt.COUNT_THE_PILE: N_("Only the top card shows. Say how many cards there are and how many are wild."),
    Doubt.IN_NO_MELD: N_("These cards are not in a meld, so they don’t count yet. Say where each one belongs."),
    Doubt.ODD_ONE_OUT: N_("One of these cards does not match the others."),
    Doubt.CHANGED_UNSEEN: N_("It changed while nobody could see how. Check its cards."),
}


def photo_name(source: str) -> str:
    """How a photo is named on the page: by its file's name without folders, of visible signs and on one line, or by its
    camera."""
    return tidy(source.replace("\\", "/").rsplit("/", 1)[-1], _MAX_FILE_NAME) or _("the photo")


def name_of(face: Face) -> str:
    """``8 of hearts``, ``joker``, ``lady``."""
    if face.suit:
        return gettext(OF_SUIT[face.suit], rank=_(_RANKS[face.rank]) if face.rank in _RANKS else face.rank)
    if known := _NAMED.get(face.rank) or _RANKS.get(face.rank):
        return _(known)
    return spoken(face)


def short_name(face: Face) -> str:
    """``8♥`` or the card's name, as it fits on a small picture of it."""
    return face.rank + _SIGNS[face.suit] if face.suit else name_of(face).capitalize()


def sign(face: Face) -> str:
    """The suit's symbol; a star for a wild without a suit, such as a joker; nothing for other cards without one."""
    return _SIGNS.get(face.suit, "★" if face in suitless_wilds() else "")


def card_doubt(code: str) -> str:
    """The sentence for a doubt about a card; an unknown code gets a general one."""
    known = _CARD_DOUBTS.get(code)
    return _(known) if known else _("Please look at this card (%(why)s).", why=code.replace("-", " "))


def group_doubt(code: str) -> str:
    """The sentence for a doubt about a group; an unknown code gets a general one."""
    known = _GROUP_DOUBTS.get(code)
    return _(known) if known else _("Please look at this group (%(why)s).", why=code.replace("-", " "))


def nonbreaking_reason(reason: str) -> str:
    """A tally line's reason for display: ``7 × 10`` does not wrap, and a minus sign is used for minus."""
    return reason.replace("× -", "× −").replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def reason_in_group(reason: str, group: str) -> str:
    """A tally line's reason under its group's name, which it does not repeat: ``8s: 7 × 10``, ``Book bonus``.

    Args:
        reason: the reason as in a tally, such as ``8s in clean book of 8s: 7 × 10``.
        group: the group's name as displayed, such as ``Clean book of 8s``.
    """
    name = group[:1].lower() + group[1:]
    if reason == name:
        return _("Book bonus")
    return nonbreaking_reason(reason.replace(f" in {name}:", ":", 1))


def count_text(number: int, one: str) -> str:
    """``1 card``, ``3 cards``, for the command line, which is in English only."""
    return f"{number} {one}{'' if number == 1 else 's'}"


def cards_text(number: int) -> str:
    """``1 card``, ``3 cards``."""
    return ngettext("%(num)s card", "%(num)s cards", number)


def games_text(number: int) -> str:
    return ngettext("%(num)s game", "%(num)s games", number)


def rounds_text(number: int, in_hands: bool = False) -> str:
    """``1 round``, ``3 rounds``; ``3 hands`` under rules with sets of hands."""
    if in_hands:
        return ngettext("%(num)s hand", "%(num)s hands", number)
    return ngettext("%(num)s round", "%(num)s rounds", number)


def players_text(number: int) -> str:
    return ngettext("%(num)s player", "%(num)s players", number)


def listed(parts: Iterable[str]) -> str:
    """``1``, ``1 and 2``, ``1, 2 and 3``."""
    *others, last = parts
    return _("%(several)s and %(last)s", several=", ".join(others), last=last) if others else last


def one_of(parts: Iterable[object]) -> str:
    """``1``, ``1 or 2``, ``1, 2 or 3``."""
    *others, last = map(str, parts)
    return _("%(several)s or %(last)s", several=", ".join(others), last=last) if others else last


def against(sides: Iterable[str]) -> str:
    """``Ann against Bob``: the names of a game's sides."""
    return f" {_('against')} ".join(sides)


def none_of(events: Sequence[str]) -> str:
    """``No red threes``, ``None of the 3: …``: none of these things happened."""
    if len(events) == 1:
        return _("No %(event)s", event=events[0])
    if len(events) == 2:
        return _("No %(event)s, no %(other)s", event=events[0], other=events[1])
    return _("None of the %(number)s: %(events)s", number=len(events), events=", ".join(events))


def with_others(summary: str, others: int) -> str:
    """What was changed, and how many more changes were made along with it."""
    if not others:
        return summary
    return ngettext(
        "%(summary)s, and %(num)s more change",
        "%(summary)s, and %(num)s more changes",
        others,
        summary=summary,
    )


def typed_text(typed: TypedSide) -> str:
    """What people counted of a side: ``3 clean, 2 dirty, card points 640, left −85``, or ``total 1,200``."""
    if typed.total is not None:
        return _("total %(points)s", points=points_text(typed.total))
    parts = [_books_text(told) for told in typed.books]
    parts += [_("%(books)s without a book", books=_books_text(told)) for told in typed.unfinished]
    parts += [ngettext("%(num)s cap", "%(num)s caps", typed.caps)] if typed.caps else []
    parts += [_("laid %(cards)s", cards=" ".join(map(short_name, typed.laid)))] if typed.laid else []
    parts += [_("card points %(points)s", points=points_text(typed.cards))]
    return ", ".join([*parts, _("left %(points)s", points=points_text(typed.left))])


_BOOKS = {"clean": N_("%(number)s clean"), "dirty": N_("%(number)s dirty"), "wild": N_("%(number)s wild")}


def _books_text(told: TypedBooks) -> str:
    text = gettext(_BOOKS[told.book], number=told.count)
    text = _("%(books)s of one suit in a row", books=text) if told.run else text
    text = _("%(books)s of %(rank)s", books=text, rank=told.rank) if told.rank else text
    text = _("%(books)s of %(number)s or more cards", books=text, number=told.cards) if told.cards else text
    wilds = " ".join(face.rank for face in told.wilds)
    return _("%(books)s of %(rank)s", books=text, rank=wilds) if told.wilds else text


def points_text(points: int) -> str:
    return f"{points:,}".replace("-", "−")


MAX_NAME = 40
_MAX_TYPED = 2000
"""Characters of a typed text that are looked at."""
_SIGN = regex.compile(r"\X")
_BLANKS = regex.compile(r"[\s\u2800]+")
_INVISIBLE = regex.compile(
    r"[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}--[\u200c\u200d\p{Variation_Selector}]]", regex.V1
)
"""Everything that shows nothing, but joiners and variation selectors, which some scripts and emoji need."""
_MANY_JOINERS = regex.compile(r"([\u200c\u200d])[\u200c\u200d]+")
_LETTERS_JOIN = r"(?<=[\p{jt=D}\p{jt=L}\p{jt=C}]\p{Mn}*)[\u200c\u200d](?=\p{Mn}*[\p{jt=D}\p{jt=R}\p{jt=C}])"
_AFTER_VIRAMA = r"(?<=\p{ccc=9})[\u200c\u200d]"
_EMOJI_JOIN = r"(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)\u200d(?=\p{Extended_Pictographic})"
_SELECTED = r"(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|\ufe0f(?=\u20e3)|(?<=\p{Han})\p{Variation_Selector}"
_NEEDED = "|".join((_LETTERS_JOIN, _AFTER_VIRAMA, _EMOJI_JOIN, _SELECTED))
_STRAY = regex.compile(rf"(?:{_NEEDED})(*SKIP)(*FAIL)|[\u200c\u200d\p{{Variation_Selector}}]")
"""Joiners and variation selectors where they change nothing. Joiners have a place as in RFC 5892, appendix A."""


def tidy(name: str, limit: int = MAX_NAME) -> str:
    """A typed name as it is kept: in Unicode's form NFC, of visible signs, at most ``limit`` characters.

    Blanks are single spaces. Joiners stay between letters or emoji that they join, and nowhere else.
    """
    visible = _INVISIBLE.sub("", _BLANKS.sub(" ", name[:_MAX_TYPED]))
    shown = _without_strays(_MANY_JOINERS.sub(r"\1", visible))
    return _without_strays(cut(_BLANKS.sub(" ", shown).strip(), limit)).strip()


def _without_strays(text: str) -> str:
    return unicodedata.normalize("NFC", _STRAY.sub("", text))


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """What the spellings of one person's name have in common: capitals, accents' encoding and joiners do not count."""
    plain = regex.sub(r"\p{Default_Ignorable_Code_Point}", "", unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFD", plain.casefold())


def cut(text: str, limit: int) -> str:
    """The beginning of a text, at most ``limit`` characters, which ends with a whole sign (UAX #29) and no blank."""
    kept = ""
    for sign in _SIGN.findall(text) if len(text) > limit else [text]:
        if len(kept) + len(sign) > limit:
            break
        kept += sign
    return (kept or text[:limit]).rstrip()


def name_from_id(id: str) -> str:
    """What something may be called of which nothing but the id is left, which was made from its name."""
    return " ".join(id.replace("_", "-").split("-")).capitalize()


def local_day(stamp: str) -> str:
    """The local day of an ISO time: ``Sat, Nov 21, 2026``; a text that is no time stays as it is."""
    time = _local(stamp)
    return f"{time:%a}, {day_text(time)}" if time else stamp


def day_text(day: date) -> str:
    """A day as Americans write it: ``Nov 21, 2026``."""
    return f"{day:%b} {day.day}, {day.year}"


def local_date(stamp: str) -> str:
    """The local day of an ISO time as spreadsheets take it: ``2026-11-21``."""
    time = _local(stamp)
    return f"{time:%Y-%m-%d}" if time else stamp


def clock_time(stamp: str) -> str:
    """The local time of day of an ISO time: ``3:04 PM``."""
    time = _local(stamp)
    return f"{time.hour % 12 or 12}:{time:%M %p}" if time else stamp


def local_time(stamp: str) -> str:
    """The local day and time of an ISO time: ``Nov 21, 2026, 3:04 PM``."""
    time = _local(stamp)
    return f"{day_text(time)}, {clock_time(stamp)}" if time else stamp


def photos_leaving(count: int, first: str) -> str:
    """Says that photos will be removed: how many, and the ISO time from which on."""
    return ngettext(
        "%(num)s old photo will be deleted after %(when)s to make room. To keep it, export everything first.",
        "%(num)s old photos will be deleted after %(when)s to make room. To keep them, export everything first.",
        count,
        when=local_time(first),
    )


def _local(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError):
        return None
