"""Which decks a game is played with: their faces, whether the rules take them, and whether they can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorer.deck import DeckProfile, joined, list_decks, load_deck, own_decks, shipped_decks
from scorer.errors import DeckError
from scorer.faces import STANDARD_FACES
from scorer.rules import RuleSet
from webui.decks.learning import LearningState, progress_text
from webui.decks.learnt import read_learnt
from webui.decks.taught import TaughtDeck, TaughtDecks
from webui.storage.files.learnt_files import Learnt
from webui.translation import N_, _

_NAMES = {
    "standard": N_("Standard cards"),
    "hand-n-foot": N_("Hand ’n Foot cards"),
    "remastered": N_("Hand & Foot Remastered cards"),
}
_ABOUT = {
    "standard": N_("Four suits, ace to king, and jokers."),
    "hand-n-foot": N_("Sold in a box: numbers 1 to 12, Lord, Lady, Villain, Jester and Joker."),
    "remastered": N_("Sold in a box: no suits, red and black threes, wild cards worth 20 and 50."),
}
MOST_IN_PLAY = 6
"""The most designs of cards in one game."""
_READABLE = frozenset(STANDARD_FACES)
"""The faces that are read without teaching."""


def split_ids(text: str) -> tuple[str, ...]:
    """The ids of decks in a text that lists them with commas, each once."""
    return tuple(dict.fromkeys(id for part in text.split(",") if (id := part.strip())))


def checked_ids(ids: Sequence[str]) -> tuple[str, ...]:
    """Checks the ids of decks that are to be in play.

    Raises:
        DeckError: there are none or more than ``MOST_IN_PLAY``, or one is unknown or removed.
    """
    if not 1 <= len(ids) <= MOST_IN_PLAY:
        raise DeckError(f"expected one to {MOST_IN_PLAY} decks in play, got {len(ids) or 'none'}")
    for id in ids:
        load_deck(id)
        if id in own_decks() and own_decks()[id].removed:
            raise DeckError(f"the deck {id} was removed; bring it back, or name another")
    return tuple(ids)


def deck_in_play(ids: Iterable[str], rules: RuleSet) -> DeckProfile:
    """The cards of the decks in play as one deck; those of the rules' first deck if none of the ids is known now."""
    known = {*shipped_decks(), *own_decks()}
    decks = [load_deck(id).with_jokers(rules.jokers) for id in ids if id in known]
    return joined(list({deck.id: deck for deck in decks}.values())) if decks else rules.all_decks[0]


def refused_by(rules: RuleSet, ids: Iterable[str]) -> tuple[str, ...]:
    """Those of the decks that have faces which the rules do not know."""
    return tuple(id for id in ids if not set(load_deck(id).with_jokers(rules.jokers).copies) <= set(rules.cards.copies))


def name_of_deck(id: str) -> str:
    """What a deck is called: by the household, or by its profile; its id if it is not there any more."""
    if id in own_decks():
        return own_decks()[id].name
    if id in _NAMES:
        return _(_NAMES[id])
    return load_deck(id).name if id in shipped_decks() else id


def about_deck(id: str) -> str:
    """What a shipped deck looks like, for people who do not know it by name; empty for any other."""
    return _(_ABOUT[id]) if id in _ABOUT and id not in own_decks() else ""


def is_unlike(id: str) -> bool:
    """Whether a deck has faces that are read only once they were learnt."""
    return id in (*shipped_decks(), *own_decks()) and not set(load_deck(id).copies) <= _READABLE


def is_readable(id: str, decks: TaughtDecks, learnt: Learnt | None) -> bool:
    """Whether a camera can read the cards of a deck: standard ones always, others once they were learnt."""
    if not is_unlike(id):
        return True
    return id in own_decks() and learnt is not None and learnt.covers(decks.get(id))


def unreadable(ids: Iterable[str], decks: TaughtDecks) -> tuple[str, ...]:
    """Those of the decks in play that were not taught, so that their cards cannot be read."""
    learnt = read_learnt(decks.folder.parent)
    return tuple(id for id in ids if not is_readable(id, decks, learnt))


class Unread(NamedTuple):
    """The names of decks in play that a camera cannot read: those never taught, those taught but not learnt, and those
    learnt of which some cards were never shown. ``progress`` is how far learning is, where it goes on now."""

    untaught: tuple[str, ...] = ()
    unlearnt: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    progress: str = ""


def unread(ids: Iterable[str], decks: TaughtDecks, learning: LearningState) -> Unread:
    """The names of those of the decks in play that cannot be read yet, by what is to be done, and how far learning
    is."""
    ids = tuple(ids)
    found = unreadable(ids, decks)
    shown = {id for id in ids if id in own_decks() and decks.get(id).pictures}
    return Unread(
        tuple(name_of_deck(id) for id in found if id not in shown),
        tuple(name_of_deck(id) for id in found if id in shown),
        tuple(name_of_deck(id) for id in shown_in_part(ids, decks)),
        progress_text(learning) if learning.kind == "running" else "",
    )


def lacks_cards(deck: TaughtDeck) -> bool:
    """Whether cards of a deck can only be read once they are shown, and some never were."""
    return bool(deck.pictures and deck.missing) and is_unlike(deck.id)


def shown_in_part(ids: Sequence[str], decks: TaughtDecks) -> tuple[str, ...]:
    """Those of the decks in play that were learnt, but not all of their cards; without those whose kind is in play
    itself, of which all that is not taught is told."""
    own = [decks.get(id) for id in ids if id in own_decks() and id not in unreadable(ids, decks)]
    return tuple(deck.id for deck in own if lacks_cards(deck) and deck.profile.id not in {*ids} - {deck.id})


def offered_decks(rules: RuleSet, decks: Iterable[TaughtDeck]) -> tuple[str, ...]:
    """The decks with which a game by these rules can be played: its own profiles first, then the household's."""
    profiles = [deck.id for deck in rules.all_decks if deck.id in list_decks()]
    own = [deck.id for deck in decks if deck.id not in profiles]
    return tuple(id for id in (*profiles, *own) if not refused_by(rules, [id]))


def suggested_decks(rules: RuleSet, decks: Sequence[TaughtDeck]) -> tuple[str, ...]:
    """The decks that the rules suggest, of the kind that they name first.

    These are the household's own of which all faces were taught, or else that kind itself, and with it those of which
    only some faces were taught, such as jokers.
    """
    own = [deck for deck in decks if deck.pictures and deck.profile == rules.all_decks[0]]
    whole = [deck.id for deck in own if not deck.missing] or [rules.deck]
    return tuple([*whole, *(deck.id for deck in own if deck.missing)][:MOST_IN_PLAY])
