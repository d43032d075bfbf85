"""What is no name in a list of teams or people: headings, numbers, bullets, notes."""

from __future__ import annotations

import re

AND = re.compile(r"\s*(?:&|\+(?!\s?\d)|/)\s*|\s+(?:and|with|w/|und|et)\s+", re.IGNORECASE)
"""What stands between the two players of a team."""

_COLUMNS = {
    "number": "no|no.|nr|nr.|num|number|pos|position|rank|line|id",
    "team": "team|teams|team name|name of team|pair|pairs|pair name|couple|couples|partnership|side",
    "player": "player|players|name|names|partner|partners|person|people|member|members|who|entrant|participant|"
    "player one|player two|player a|player b|first player|second player|full name|player name|partner name",
    "first": "first|first name|firstname|given name",
    "last": "last|last name|lastname|surname|family name",
    "group": "group|gender|sex|category|division|class|man/woman|m/w|m/f",
    "other": "phone|telephone|mobile|cell|email|e-mail|mail|note|notes|comment|remark|remarks|paid|fee|table|"
    "table no|table no.|city|town|club|date|time|score|scores|total|points|round|signed up|check in|signature|handicap|"
    "timestamp|comments",
}
_WHOSE = re.compile(r"^(?:(?:your|their|his|her|partner'?s?|player|team)\s+\d*\s*)+")
_ROLES = {word: role for role, words in _COLUMNS.items() for word in words.split("|")}
_NOTES = re.compile(
    r"\b(?:paid|pays|cash|check|cheque|owes|free|late|tbc|tba|maybe|confirmed|new|yes|no|ok|x|n/a|waiting|waitlist|"
    r"vegetarian|vegan|gluten|brings|needs|call|called|cancell?ed|guests?|absent)\b",
    re.IGNORECASE,
)
_BULLETS = re.compile(r"^(?:[\s\-*•·‣◦▪▫■□●○–—→➤>☐☑☒✓✔✗✘~]|\[[ xX✓]?\])+(?=\S)")
_ENDINGS = re.compile(r"[\s,;:*~✓✔☑✗✘☐|\-–—]+$")
_NUMBERED = re.compile(
    r"^(?:(?:no\.?|nr\.?|#|№)\s*)?\(?\d{1,3}\s*(?:[.)\]:]+|-(?=\s)|–(?=\s))\s*(?=\D)|^(?:#|№|no\.)\s*\d{1,3}\s+", re.I
)
_LETTERED = re.compile(r"^\(?[a-zA-Z]\)\s*(?=\S)")
_NUMBER_OF = re.compile(r"^(?:team|pair|couple|table|no\.?|nr\.?|#|№)?\s*[#№]?\s*\d{1,3}\s*[.):]*$", re.IGNORECASE)
_PHONE = re.compile(r"\s*\+?\(?\d[\d\s().\-]{5,}$")
_COUNTED = re.compile(
    r"^(?:total|count|sum)?\W*\d+\s+(?:teams?|pairs?|players?|people|couples?)\W*$|^(?:total|count)\W*\d*$", re.I
)
_DATED = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|"
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d",
    re.IGNORECASE,
)
_OF_THE_GAME = re.compile(r"\bhand\s*(?:&|and|n|'n'?|\+)\s*foot\b", re.IGNORECASE)


def role_of(cell: str) -> str:
    """What stands under a heading: ``number``, ``team``, ``player``, ``first`` or ``last`` (names), ``group``,
    ``other``; empty where a cell is no heading."""
    if cell.strip() in ("#", "№"):
        return "number"
    plain = re.sub(r"[\s\d:#°()*.]+$", "", cell.strip().casefold())
    spellings = plain, cell.strip().casefold(), _WHOSE.sub("", plain)
    return next((_ROLES[one] for one in spellings if one in _ROLES), "")


def is_number(cell: str) -> bool:
    """Whether a cell only counts: ``7``, ``7.``, ``Team 7``, ``No. 7``."""
    return bool(_NUMBER_OF.match(cell.strip()))


def is_empty(cell: str) -> bool:
    """Whether a cell has neither letters nor digits."""
    return not any(sign.isalnum() for sign in cell)


def is_note(cell: str) -> bool:
    """Whether a cell beside names is none: a number, an address, an amount, or has a word such as ``paid``."""
    if is_empty(cell) or "@" in cell or not any(sign.isalpha() for sign in cell):
        return True
    return bool(_NOTES.search(cell))


def is_title(text: str) -> bool:
    """Whether a line tells about a list: ``Teams:``, ``16 teams``, ``Hand & Foot night``, ``Friday, June 5``."""
    dated = _DATED.search(text) and not AND.search(_DATED.sub("", text))
    return text.rstrip().endswith(":") or bool(_COUNTED.match(text.strip()) or _OF_THE_GAME.search(text) or dated)


def without_bullet(text: str) -> str:
    """A line without its bullet, dash or box, and without signs at its end."""
    return _ENDINGS.sub("", _BULLETS.sub("", text.strip()))


def without_number(text: str) -> str:
    """A line without ``1.``, ``2)``, ``(3)``, ``#4`` or ``a)`` at its beginning."""
    found = _NUMBERED.sub("", text, count=1)
    return _LETTERED.sub("", found, count=1) if found == text else found


def without_phone(name: str) -> str:
    """A name without a phone number behind it."""
    return _PHONE.sub("", name)
