"""What is wrong with a submitted value, in plain words: made from the sentences of the rule set's own checks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorer.data import Frozen
from scorer.deck import known_faces
from scorer.rules import RuleSet
from webui.house_rules.field_types import field_type
from webui.wording import listed, name_of

_KEYED = re.compile(r"(?:^|; )([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): ")
"""Splits the errors of a whole rule set, which come as one text: ``key: what was expected; key: …``."""
_MOST_REASONS = 3
"""Reasons told of a broken file; the others go with them."""
_WORDS = {
    "book_size": "the size of a book",
    "melds.least_cards": "the smallest meld",
    "melds.most_wilds": "the limit on wild cards in a meld",
    "remastered": "Hand & Foot Remastered",
}
_MISSING = "expected this key, got nothing"
_CUT_OFF = "It may be cut off at its end: put the whole file in its place."
_SENTENCES: tuple[tuple[str, str], ...] = (
    (_MISSING, "Please fill this in."),
    (r"expected the points of (\S+) once, got them 0 times", "The {0} is missing; list each card once."),
    (r"expected the points of (\S+) once, got them (\d+) times", "The {0} is listed {1} times; list each card once."),
    (r"expected ranks of none, got (.+)", "Leave this empty; {0} can't be listed here."),
    (r"expected ranks of (.+?), got (.+)", "You can list {0} here, but not {1}."),
    (r'expected a card of the deck such as "8" or "red 3", got (.+)', 'The deck has no {0}; write "8" or "red 3".'),
    (r"expected no wild, got (.+)", "The {0} is a wild card, so it can't be listed here."),
    (r"expected no card of never_melded, got (.+)", "The {0} is also listed among the cards that can't be melded."),
    (r"expected a card of never_melded, .+, got (.+)", "The {0} can be melded; only a card that can't be can go here."),
    (r"expected cards of laid, got (.+)", "These are not among the cards laid out on the table: {0}."),
    (
        r"expected (book_size|melds\.\w+) \((\d+)\) or (more|less), got (.+)",
        "This must be {1} or {2} ({0} is {1}), not {3}.",
    ),
    (r"expected 0, as no rank is wild, got (.+)", "This must be 0, as no cards are wild; not {0}."),
    (r"expected 0, as these rules have no runs, got (.+)", "This must be 0, as there are no runs; not {0}."),
    (
        r"expected decks with suits, got (.+)",
        "Runs need cards with suits, which {0} cards lack: leave out runs, or those cards.",
    ),
    (r"expected no jokers, as the packs have none, got (.+)", "Take {0} out here, as you have no jokers in a pack."),
    (
        r"expected book_size \((\d+)\) or more of them, got (.+)",
        "List at least {0} ranks, as many as a book has cards; you have {1}.",
    ),
    (r"expected 0, as these rules have no wild book, got (.+)", "This must be 0, as there are no wild books; not {0}."),
    (r"expected none, as no rank is wild, got .+", "Leave this empty, as no cards are wild."),
    (r"expected (?:none|no), as no card is laid, got .+", "Leave this out, as no cards are laid out on the table."),
    (r"expected none, as the deck has no jokers, got .+", "Leave this empty, as the deck has no jokers."),
    (r"expected none beside one_a_rank, got .+", "Leave this empty, as a side can have only one meld of a rank."),
    (
        r"expected (?:none|no|no wild), as these rules have no wild book, got .+",
        "Leave this out, as there are no wild books.",
    ),
    (r"expected books that these rules have, got wild", "Leave out wild books, as there are none."),
    (r"expected each (\w+) once, got (.+) more often", "List each {0} once; you have {1} more than once."),
    (
        r"expected a deal of fewer cards than the (\d+) in the packs for (\d+) players, got (\d+)",
        "Dealing to {1} players takes {2} cards, but the packs have only {0}. Deal fewer, or take more packs.",
    ),
    (r"expected a rank that can be melded, got none", "No rank can be melded then; leave at least one out here."),
    (
        r"expected (\d+) or less, as no rank has more cards in these packs, got (\d+)",
        "The packs have at most {0} cards for a book, wild cards included, so nobody can make one of {1}.",
    ),
    (r"expected a number between (.+) and (.+), got -.+", "The smallest number allowed is {0}."),
    (r"expected a number between (.+) and (.+), got .+", "The largest number allowed is {1}."),
    (r"expected each once, got one twice", "One of these is listed twice; list each once."),
    (r"expected from_cards growing .+", "List the smallest number of cards first."),
    (r"expected a first entry without least.*", "Leave the total in the first row empty, and go up from row to row."),
    (r"expected a first entry without from_players.*", "The first row is for everybody: leave players and round at 1."),
    (r"expected either by_round or by_score, got .+", "Fill in points by round or points by total, one of the two."),
    (r"expected fixed, per_player or by_players .+", "Fill in one of these numbers, 1 or more."),
    (r"expected clean, dirty .+", "Fill in at least one of these values."),
    (r"expected books, laid or went_out, .+", "Fill in at least one of these, or leave it all out."),
    (r"expected none beside by_score, got .+", "This must be 0 where the points go by the side's total."),
    (r"expected none beside seatings, got .+", "Leave this at 2 where teams are listed."),
    (r"expected the number of games .+", "Please fill in the number of games."),
    (r"expected (\d+) characters or fewer, got (\d+)", "Use {0} characters or fewer; this has {1}."),
    (r"expected (\d+) entries or fewer, got more", "List {0} or fewer here."),
    (r"expected (\d+) or more, got \[.*\]", "List {0} or more here."),
    (r"expected a readable TOML file, got: .+ \(at line (\d+), column \d+\)", "Line {0} of the file can't be read."),
    (
        r"expected a readable TOML file, got: .+ \(at end of document\)",
        f"The file ends in the middle of a line. {_CUT_OFF}",
    ),
    (r"expected a readable TOML file, got: 'utf-8' codec .+", "The file is not a text."),
    (r"expected a readable TOML file, got: (.+)", "The file can't be read: {0}."),
    (r"unknown key, .+", "There is no such value; leave it out."),
    (r"expected a valid string, got (.+)", "This must be text in quotation marks, not {0}."),
    (r"expected numbers of (\d+) or (more|less), got (.+)", "Each number must be {0} or {1}, not {2}."),
    (r"expected (sides from \d+ to \d+), got (.+)", "List {0}, not {1}."),
    (r"expected (\d+) player or more on each side, got .+", "Each side needs {0} player or more."),
    (r"expected (.+?), got (.+)", "This must be {0}, not {1}."),
)
_COMPILED = tuple((re.compile(pattern, re.DOTALL), sentence) for pattern, sentence in _SENTENCES)


def refusal(text: str) -> str:
    """A check's ``expected ..., got ...`` as a sentence for people, without the names of a file's keys."""
    text = text.removesuffix(".")
    for pattern, sentence in _COMPILED:
        if match := pattern.fullmatch(text):
            return sentence.format(*map(_in_words, match.groups()))
    return f"{text[:1].upper()}{text[1:]}."


def _in_words(part: str) -> str:
    """A part of an error: a field's name or cards with suits in words, all else as it is typed."""
    suited = {str(face): name_of(face) for face in known_faces() if face.suit}
    cards = part.split(", ")
    return listed(map(suited.__getitem__, cards)) if suited.keys() >= {*cards} else _WORDS.get(part, part)


def split_errors(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Each error in a text with the path of its field; errors of no field have that of the text."""
    parts = _KEYED.split(text)
    if parts[0]:
        yield path, parts[0]
    for key, sentence in zip(parts[1::2], parts[2::2], strict=True):
        yield f"{path}.{key}" if path else key, sentence


def broken_file_reason(error: str) -> str:
    """Why a rule set's file cannot be used: its first errors, by what its keys mean, how many more there are, and what
    to do.
    """
    missing, wrong = list[str](), list[str]()
    for key, text in split_errors("", re.sub(r"^[\w-]+\.toml: ", "", error)):
        if text == _MISSING:
            missing.append(_meaning(key))
        else:
            wrong.append(f"{_meaning(key)}: {refusal(text)}" if key else refusal(text))
    more = len(wrong) - _MOST_REASONS
    told = [*wrong[:_MOST_REASONS], *([f"And {more} more."] if more > 0 else [])]
    if missing:
        more = len(missing) - _MOST_REASONS
        parts = missing[:_MOST_REASONS] + ([f"{more} more"] if more > 0 else [])
        told.append(f"The file does not say: {listed(parts)}. {_CUT_OFF}")
    return " ".join(told)


def _meaning(path: str) -> str:
    """What the key of a file means, and the key: ``cards in a book (book_size)``; the key alone where it is none."""
    model: type[Frozen] = RuleSet
    meaning = ""
    for key in re.findall(r"[a-z_]+", path):
        if (field := model.model_fields.get(key)) is None:
            return path
        meaning, model = field.description or "", field_type(key, field).model or model
    return f"{meaning} ({path})" if meaning else path
