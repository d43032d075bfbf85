"""Doubt codes: why a person should look at a card or a group, and the thresholds that set them.

A doubt is advice: it asks a question on the page and never removes a card. A card has one doubt. The first that is set
stays, but for those that say more: ``UNKNOWN_FACE`` where the decks in play have no such face, ``DECIDED_BY_RULES``
where the rules decide on another, and ``LOOKS_DIFFER`` where several pictures show the card and disagree. A taught
picture that shows its face ends ``LOW_CONFIDENCE``; where pictures agree, one of them without a doubt is enough to end
any; and whatever a person says of a card ends its doubt.

A card in doubt may be sure of its face all the same: ``is_sure_of_face`` says so, and a sure face is never changed.
"""

from __future__ import annotations

from enum import StrEnum


class Doubt(StrEnum):
    """All doubt codes; the values are part of the JSON output and of stored readings."""

    LOW_CONFIDENCE = "low-confidence"
    """Card: its confidence is below ``DOUBT``. Set by ``vision.cards.build.cards_from_pairs``; for packs with foreign
    letters by ``vision.cards.foreign_letters``; by looks of agreed rounds, which also end it, by
    ``vision.looks.trust``; where a taught picture is not sure, or a card does not look enough like that of its face, by
    ``vision.teach.match``; for a face that is printed
    like one of the decks in play by ``vision.groups.faces_in_play.in_play``. Group of a watched table: what one of its
    cards is was seen too seldom. Set by ``vision.memory.groups``."""

    DECIDED_BY_RULES = "decided-by-rules"
    """Card: it was in doubt and got another face, which the meld around it or the number of packs demands. Set by
    ``vision.groups.rule_prior.apply_rule_prior``."""

    TOO_MANY_COPIES = "too-many-copies"
    """Card: more cards of its face were read than the packs hold, and no other face is likely. Set by
    ``vision.groups.rule_prior.apply_rule_prior``."""

    UNKNOWN_FACE = "unknown-face"
    """Card: what was read is no face of the decks in play, so nobody knows what it is. Set by
    ``vision.groups.faces_in_play.in_play``, and kept by ``vision.groups.merge_photos.combined``."""

    PERHAPS_ANOTHER = "perhaps-another"
    """Card: beside it lies a detection too weak to count, so a card may have been missed. Set by
    ``vision.cards.missed.hint_missed``."""

    LOOKS_DIFFER = "looks-differ"
    """Card: several pictures show it and do not agree on its face: those of a burst or of the live reading, or several
    photos of one side. Set by ``vision.groups.merge_photos.combined``, never for a single picture."""

    SUIT_UNSURE = "suit-unsure"
    """Card: its rank is sure, its suit is not: a run demands another than was read, or several pictures disagree. The
    page asks only where the rules tell the suits apart. Set by
    ``vision.groups.rule_prior.apply_rule_prior`` and ``vision.groups.merge_photos.combined``."""

    ODD_ONE_OUT = "odd-one-out"
    """Group: a card that does not fit lies among the cards of a meld or of threes. Set by
    ``vision.groups.grouping.group``, and for a watched table by ``vision.memory.groups``. Card: it is the one that does
    not fit. Set by ``webui.corrections.apply``."""

    COUNT_THE_PILE = "count-the-pile"
    """Group: a squared pile of which only the top card is visible. Set by ``webui.corrections.piles``."""

    IN_NO_MELD = "in-no-meld"
    """Group: cards that count nowhere until a person says where they belong. Set by ``webui.corrections.apply``."""

    CHANGED_UNSEEN = "changed-unseen"
    """Group: it changed while nobody could see how. Set by ``vision.memory``."""


_SURE_OF_FACE = frozenset({None, Doubt.PERHAPS_ANOTHER, Doubt.TOO_MANY_COPIES, Doubt.SUIT_UNSURE})


def is_sure_of_face(doubt: str | None) -> bool:
    """Whether the face of a card with this doubt, or none, is certain, its rank at least: the doubt is about its suit
    or about what lies around it."""
    return doubt in _SURE_OF_FACE


DOUBT = 0.97
"""Cards with less confidence than this are ``LOW_CONFIDENCE``: of 144 drawn tables none was then wrong without a doubt,
at 0.95 one."""
DOUBT_ALONE = 0.995
"""The same where a taught picture alone names a card (``vision.teach.match.taught_faces``), or one look at one of its
indices (``vision.cards.foreign_letters``)."""
DOUBT_BY_PICTURE = 0.97
"""The same where a card is weighed by the taught pictures of its deck (``vision.teach.match.likeness``): 7 of 4,080
cards of 120 drawn tables were wrong without a doubt, and 635 in doubt."""
DOUBT_WITH_LOOKS = 0.95
"""The same where looks of agreed rounds weigh a card: the lowest at which no more wrong cards are without a doubt than
where nothing was learned. Of 19,384 cards of 60 drawn households (cross-validated) 8.4 % are in doubt then and 77 wrong
without one, 12.2 % and 78 without looks."""

ACCEPT = 0.65
"""Least probability (``p_keep`` of the relations) at which a detection counts as an index of a card. With less,
words on other things than cards are taken for jokers."""

FOREIGN_LETTER = 0.96
"""An index that is seen as its card's rank with at least this probability has that letter, and no foreign one."""
LIKE_A_COURT = 0.03
"""Probability of a jack, queen or king from which the index of an 8 or a 10 may be a foreign letter."""

HINT_MISSED = 0.1
"""Detections from this probability up to ``ACCEPT`` are no cards, but mark a neighbour ``PERHAPS_ANOTHER``."""
SAME_CARD = 0.15
"""Card widths between two outlines (mean over their corners) below which a weak detection belongs to a card that was
read and says nothing about a missed one."""
NEIGHBOUR = 2.0
"""Card widths between the centres of a weak detection and of the card that it marks, at most."""

MIN_ALTERNATIVE = 0.05
"""Least probability of a face for the rules to prefer it over the likeliest one."""
ODD_PRIOR = 0.1
"""Prior odds that a card among the cards of a meld does not belong to it."""

ODD_CARD_OVERLAP = 0.25
"""Share of its area that a card has in common with each of two cards of a meld to be its ``ODD_ONE_OUT``."""
ODD_CARD_MELD = 4
"""Least number of cards of such a meld."""
