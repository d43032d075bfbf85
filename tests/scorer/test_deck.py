"""Deck profiles match a real box of cards, and a household's own ones are read from its folder or refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.deck import (
    DECK_FILE,
    broken_decks,
    joined,
    known_faces,
    list_decks,
    load_deck,
    own_decks,
    parse_deck_file,
    spoken,
    suitless_wilds,
    use_deck_folder,
)
from scorer.errors import DeckError, RulesError
from scorer.faces import JOKER, STANDARD_FACES, Face
from scorer.rules import RuleSet, load_rules, rules_from_text
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet

WIZARDS = """
id = "wizards"
name = "Our wizards"
[profile]
wild_ranks = ["WIZARD"]
cards = [{ ranks = ["4", "5", "LADY"], copies = 4 }, { ranks = ["8"], suits = ["H", "S"], copies = 1 },
         { ranks = ["WIZARD"], copies = 2 }]
[profile.names]
LADY = "lady"
WIZARD = "wizard"
[profile.plurals]
LADY = "ladies"
[profile.called]
LADY = "K"
WIZARD = "JK"
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """A folder of own decks with one of each kind."""
    write(tmp_path, "wizards", WIZARDS)
    write(tmp_path, "grandma", 'id = "grandma"\nname = "Grandma\'s"\nprofile = "standard"\n')
    use_deck_folder(tmp_path)
    yield tmp_path
    use_deck_folder(None)


def write(folder: Path, id: str, text: str) -> None:
    (folder / id).mkdir(exist_ok=True)
    (folder / id / DECK_FILE).write_text(text, encoding="utf-8")


def test_a_standard_pack_has_52_cards_and_two_jokers() -> None:
    deck = load_deck("standard")
    assert set(deck.faces) == set(STANDARD_FACES)
    assert sum(deck.copies.values()) == 54
    assert deck.copies[JOKER] == 2
    assert sum(copies for face, copies in deck.copies.items() if face.rank == "8") == 4


def test_a_remastered_pack_stands_in_for_a_standard_one_without_suits() -> None:
    deck = load_deck("remastered")
    assert sum(deck.copies.values()) == 54 and not deck.has_suits
    assert [deck.plural(rank) for rank in ("8", "A", "R3", "W20")] == ["8s", "aces", "red 3s", "20-point wilds"]
    assert (spoken(Face("B3")), spoken(Face("W50")), spoken(Face("8", "H"))) == ("black 3", "50-point wild", "8♥")
    assert {Face("W20"), Face("W50")} <= suitless_wilds()


def test_an_unknown_deck_names_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"one of .*standard.*, got 'tarot'"):
        load_deck("tarot")
    assert "standard" in list_decks()


def test_own_decks_are_known_beside_the_shipped_ones(own: Path) -> None:
    assert list(own_decks()) == ["grandma", "wizards"]
    assert list_decks() == ("hand-n-foot", "remastered", "standard", "wizards")
    assert load_deck("grandma") == load_deck("standard")
    deck = load_deck("wizards")
    assert [str(face) for face in deck.faces] == ["4", "5", "LADY", "8H", "8S", "WIZARD"]
    assert (deck.plural("LADY"), deck.plural("WIZARD"), spoken(Face("WIZARD"))) == ("ladies", "wizards", "wizard")
    assert Face("WIZARD") in known_faces() and Face("WIZARD") in suitless_wilds()


def test_a_changed_file_counts_at_once_and_a_removed_deck_is_still_read(own: Path) -> None:
    write(own, "wizards", WIZARDS.replace('"wizards"', '"wizards"\nremoved = true', 1).replace('"5"', '"6"'))
    assert "wizards" not in list_decks() and own_decks()["wizards"].removed
    assert Face("6") in load_deck("wizards").copies and Face("WIZARD") in known_faces()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("id = 'x'\nname = 'X'", "x/deck.toml: profile: expected this key, got nothing"),
        ("id = 'y'\nname = 'X'\nprofile = 'standard'", 'x/deck.toml: id: expected the folder\'s name "x", got "y"'),
        (
            "id = 'x'\nname = 'X'\nprofile = 'tarot'",
            'profile: expected one of hand-n-foot, remastered, standard or a table of cards, got "tarot"',
        ),
        ("id = 'x'\nname = \"X\\u0007\"\nprofile = 'standard'", "name: expected a name of 1 to 40 characters, got"),
        ("id = 'x'\nname = ' '\nprofile = 'standard'", 'name: expected a name of 1 to 40 characters, got " "'),
        ("id = 'x'\nname = 'X'\n[profile]\ncards = []", "profile.cards: expected 1 or more, got []"),
        (
            "id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['8', '8'], copies = 1}]",
            "profile: cards: expected each face once, got 8 more often",
        ),
        (
            "id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['L-1'], copies = 1}]",
            "expected capital letters and digits, 12 at most, and a suit only for a standard rank, "
            'such as "8" or "LADY", got "L-1"',
        ),
        ("id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['8H'], copies = 1}]", 'got "8H"'),
        ("id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['lady'], copies = 1}]", 'got "lady"'),
        (
            "id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['8'], suits = ['X'], copies = 1}]",
            'suits: expected suits of C, D, H, S, got "X"',
        ),
        ("id = 'x'\nname = 'X'\n[profile]\ncards = [{ranks = ['8'], copies = 0}]", "copies: expected 1 or more, got 0"),
        (
            "id = 'x'\nname = 'X'\n[profile]\nwild_ranks = ['2']\ncards = [{ranks = ['8'], copies = 1}]",
            'profile: wild_ranks: expected ranks of the deck\'s cards, got "2"',
        ),
        ("id = 'x'\nname =", "x/deck.toml: expected a readable TOML file"),
    ],
)
def test_a_wrong_own_deck_is_one_clear_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(DeckError) as refused:
        parse_deck_file(text, "x")
    assert sentence in str(refused.value)
    write(tmp_path, "x", text)
    use_deck_folder(tmp_path)
    try:
        assert sentence in broken_decks()["x"]
        with pytest.raises(DeckError):
            load_deck("x")
    finally:
        use_deck_folder(None)


@pytest.mark.parametrize("id", ["standard", "learnt", "a b", "../x"])
def test_an_own_deck_takes_no_reserved_name(id: str) -> None:
    with pytest.raises(DeckError, match="letters, digits and hyphens"):
        parse_deck_file(f'id = "{id}"\nname = "X"\nprofile = "standard"', id)


def test_decks_joined_have_all_faces_and_the_most_copies(own: Path) -> None:
    both = joined([load_deck("remastered"), load_deck("wizards")])
    assert both.copies[Face("4")] == 4 and both.copies[Face("8", "H")] == 1 and both.plural("A") == "aces"
    assert both.wild_ranks == ("W20", "W50", "WIZARD")


def _rules(**changed: object) -> RuleSet:
    data = load_rules("golden-games").model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    return RuleSet.model_validate({**data, **changed})


def test_rules_played_with_an_own_deck_score_its_cards_as_those_that_they_stand_for(own: Path) -> None:
    rules = _rules(decks=["wizards"])
    sheet = {"rules": "golden-games", "round": 1, "players": 4}
    melds = [["LADY", "LADY", "KH", "WIZARD"], ["4"] * 7]
    (side,) = score(read_sheet({**sheet, "sides": [{"melds": melds, "left": [["WIZARD"]]}]}), rules).sides
    assert [(line.reason, line.points) for line in side.lines] == [
        ("ladies in meld of kings: 2 × 10", 20),
        ("kings in meld of kings: 1 × 10", 10),
        ("wizards in meld of kings: 1 × 50", 50),
        ("clean book of 4s", 700),
        ("4s in clean book of 4s: 7 × 5", 35),
        ("wizards left: 1 × -50", -50),
    ]
    assert side.violations == ()


def test_kept_rules_bring_their_own_deck_along(own: Path) -> None:
    rules = _rules(decks=["wizards"])
    use_deck_folder(None)
    kept = rules_from_text(rules.text)
    assert kept.played(Face("WIZARD")) == 50 and kept.content_hash == rules.content_hash
    with pytest.raises(SheetError):  # faces of a deck that is gone altogether are no cards
        read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [{"laid": ["WIZARD"]}]})


def test_rules_refuse_a_deck_whose_cards_they_do_not_know(own: Path) -> None:
    for decks, sentence in (
        (["hand-n-foot"], "decks: expected decks of whose cards these rules know the points, got hand-n-foot with 1"),
        (["standard"], "decks: expected each deck once, got standard more often"),
        (["tarot"], "decks: expected a deck, one of"),
    ):
        with pytest.raises(ValueError, match=sentence):
            _rules(decks=decks)
    write(own, "twos", 'id = "twos"\nname = "T"\n[profile]\ncards = [{ ranks = ["2"], copies = 1 }]')
    with pytest.raises(ValueError, match="decks with the wilds of these rules, got twos with a natural 2"):
        _rules(decks=["twos"])


@pytest.mark.parametrize(("part", "key"), [('ranks=["8"],suits=SUITS', "suits"), ("ranks=RANKS", "ranks")])
def test_a_small_file_that_names_millions_of_faces_is_refused_before_they_are_counted(part: str, key: str) -> None:
    written = part.replace("SUITS", str(["C"] * 6)).replace("RANKS", str(["8"] * 201)).replace("'", '"')
    text = f'id = "x"\nname = "X"\n[profile]\ncards = [{{{written},copies=1}}]'
    with pytest.raises(DeckError, match=rf"profile.cards\[0\].{key}: expected Tuple should have at most"):
        parse_deck_file(text, "x")
