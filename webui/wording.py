"""Texts for people: names of cards, doubts as sentences, counts, dates."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache

import regex

from scorer.deck import suitless_wilds
from scorer.faces import Face
from scorer.sheets import TypedBooks, TypedSide
from vision.doubts import Doubt

_RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NAMED = {"JK": "joker"}
_MAX_FILE_NAME = 60
_DAY = "{0:%b} {0.day}, {0.year}"

_CARD_DOUBTS: dict[str, str] = {
    Doubt.LOW_CONFIDENCE: "The camera is not sure about this card.",
    Doubt.ODD_ONE_OUT: "This card does not match the ones next to it.",
    Doubt.TOO_MANY_COPIES: "There are more of this card than the packs have.",
    Doubt.DECIDED_BY_RULES: "The camera was not sure and went by the cards next to it.",
    Doubt.LOOKS_DIFFER: "This card looked different from picture to picture.",
    Doubt.PERHAPS_ANOTHER: "There may be another card next to this one.",
}
_GROUP_DOUBTS: dict[str, str] = {
    Doubt.COUNT_THE_PILE: "Only the top card shows. Say how many cards there are and how many are wild.",
    Doubt.IN_NO_MELD: "These cards are not in a meld, so they don’t count yet. Say where each one belongs.",
    Doubt.ODD_ONE_OUT: "One of these cards does not match the others.",
}


def photo_name(source: str) -> str:
    """How a photo is named on the page: by its file's name without folders, of visible signs and on one line, or by its
    camera."""
    return tidy(source.replace("\\", "/").rsplit("/", 1)[-1], _MAX_FILE_NAME) or "the photo"


def name_of(face: Face) -> str:
    """``8 of hearts``, ``joker``, ``lady``."""
    if face.suit:
        return f"{_RANKS.get(face.rank, face.rank)} of {_SUITS[face.suit]}"
    return _NAMED.get(face.rank, face.rank.lower())


def short_name(face: Face) -> str:
    """``8♥`` or the card's name, as it fits on a small picture of it."""
    return face.rank + _SIGNS[face.suit] if face.suit else name_of(face).capitalize()


def sign(face: Face) -> str:
    """The suit's symbol; a star for a wild without a suit, such as a joker; nothing for other cards without one."""
    return _SIGNS.get(face.suit, "★" if face in suitless_wilds() else "")


def card_doubt(code: str) -> str:
    """The sentence for a doubt about a card; an unknown code gets a general one."""
    return _CARD_DOUBTS.get(code, f"Please look at this card ({code.replace('-', ' ')}).")


def group_doubt(code: str) -> str:
    """The sentence for a doubt about a group; an unknown code gets a general one."""
    return _GROUP_DOUBTS.get(code, f"Please look at this group ({code.replace('-', ' ')}).")


def nonbreaking_reason(reason: str) -> str:
    """A tally line's reason for display: ``7 × 10`` does not wrap, and a minus sign is used for minus."""
    return reason.replace("× -", "× −").replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")


def count_text(number: int, one: str, many: str | None = None) -> str:
    """``1 card``, ``3 cards``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """``1``, ``1 and 2``, ``1, 2 and 3``."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def typed_text(typed: TypedSide) -> str:
    """What people counted of a side: ``3 clean, 2 dirty, card points 640, left −85``, or ``total 1,200``."""
    if typed.total is not None:
        return f"total {points_text(typed.total)}"
    parts = [_books_text(told) for told in typed.books]
    parts += [f"{_books_text(told)} without a book" for told in typed.unfinished]
    parts += [count_text(typed.caps, "cap")] if typed.caps else []
    parts += [f"laid {' '.join(map(short_name, typed.laid))}"] if typed.laid else []
    return ", ".join([*parts, f"card points {points_text(typed.cards)}", f"left {points_text(typed.left)}"])


def _books_text(told: TypedBooks) -> str:
    text = f"{told.count} {told.book}"
    text += f" of {told.rank}" if told.rank else ""
    text += f" of {told.cards} or more cards" if told.cards else ""
    return f"{text} of {' '.join(face.rank for face in told.wilds)}" if told.wilds else text


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


def left_out_text(photos: int) -> str:
    """The sentence about photos that were not imported with their games."""
    were = "1 photo was" if photos == 1 else f"{photos} photos were"
    return f"{were} left out because of damage; the cards and points are all still there"


def left_out_by_name(games: Iterable[str], more: int, files: Mapping[str, str]) -> list[str]:
    """Sentences about games and files that were not imported, each by its name.

    Args:
        games: the names of the games.
        more: how many games were left out besides those.
        files: why each file is left out, by its name.
    """
    sentences = [
        f"the game {name} was left out because it is not a valid game; ask for another export" for name in games
    ]
    if more:
        sentences.append(
            f"{count_text(more, 'more game')} {'was' if more == 1 else 'were'} left out for the same reason"
        )
    return sentences + [f"{name} was left out: {reason}" for name, reason in files.items()]


def local_day(stamp: str) -> str:
    """The local day of an ISO time: ``Sat, Nov 21, 2026``; a text that is no time stays as it is."""
    return _local(stamp, "{0:%a}, " + _DAY)


def day_text(day: date) -> str:
    """A day as Americans write it: ``Nov 21, 2026``."""
    return _DAY.format(day)


def local_date(stamp: str) -> str:
    """The local day of an ISO time as spreadsheets take it: ``2026-11-21``."""
    return _local(stamp, "{0:%Y-%m-%d}")


def local_time(stamp: str) -> str:
    """The local day and time of an ISO time: ``Nov 21, 2026, 3:04 PM``."""
    return _local(stamp, _DAY + ", {hour}:{0:%M} {0:%p}")


def photos_leaving(count: int, first: str) -> str:
    """Says that photos will be removed: how many, and the ISO time from which on."""
    photos, it = ("1 old photo", "it") if count == 1 else (f"{count} old photos", "them")
    return f"{photos} will be deleted after {local_time(first)} to make room. To keep {it}, export everything first."


def clock_doubt(clock: str, contradicted_by: str, ages_count: bool) -> str:
    """Says why the clock is not believed: what it says and the time that contradicts it, both ISO times.

    ``ages_count`` tells whether photos still age up to that time, or not at all.
    """
    if ages_count:
        return (
            f"This machine's clock says {local_time(clock)}, but the last change before that was on "
            f"{local_time(contradicted_by)}. If the clock is right, do nothing. For the next "
            "month, no photo counts as older than it was on that day."
        )
    return (
        f"This machine's clock says {local_time(clock)}, but it must be later than {local_time(contradicted_by)}. Set "
        "the clock. Until then, no photos are deleted."
    )


def _local(stamp: str, pattern: str) -> str:
    try:
        time = datetime.fromisoformat(stamp).astimezone()
        return pattern.format(time, hour=time.hour % 12 or 12)
    except (ValueError, OverflowError):
        return stamp
