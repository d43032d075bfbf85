"""What the choices of a rule set are called on the page."""

from __future__ import annotations

from scorer.deck import list_decks, load_deck

_DECKS = {
    "standard": "standard cards",
    "hand-n-foot": "Hand 'n Foot cards",
    "remastered": "Hand & Foot Remastered cards (no suits)",
}
_WORDS: dict[str, dict[str, str]] = {
    "deck": _DECKS,
    "decks": _DECKS,
    "then": {"the next player clockwise": "the next player clockwise", "drawn again": "draw again"},
    "what": {
        "nothing": "any melds",
        "no wilds": "no wild cards",
        "a natural meld": "a meld without wild cards",
        "a book": "a book",
        "a clean book": "a clean book",
    },
    "laid_needs": {"meld": "a meld", "book": "a book"},
    "otherwise": {"against": "against your side", "nothing": "not at all"},
    "needs": {"its own book": "their meld is a book", "a book of the side": "your side has a book"},
    "kind": {"any": "any meld", "clean": "clean meld", "dirty": "dirty meld", "wild": "wild meld"},
    "books": {"clean": "clean books", "dirty": "dirty books", "wild": "wild books"},
    "who": {"side": "each side", "player": "each player", "one side": "one side only"},
    "format": {"teams": "teams that stay together", "moving-partners": "partners who change tables"},
}
"""By the last part of a field's name, by the value."""


def option_text(name: str, option: str) -> str:
    """What an option is called under a form field of that name; an unknown one as in the rule set."""
    field = name.rpartition(".")[2]
    if field in ("deck", "decks") and option not in _DECKS and option in list_decks():
        return load_deck(option).name
    return _WORDS.get(field, {}).get(option, option)
