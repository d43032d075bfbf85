"""Taught decks: added whole or not at all, renamed, removed and brought back; what is wrong is one sentence."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from scorer.deck import DECK_FILE, known_faces, list_decks, load_deck
from scorer.deck_profile import PackPart, ProfileFields
from scorer.errors import DeckError
from scorer.faces import JOKER, Face
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import picture, pictures
from webui.decks.learnt import is_up_to_date, read_learnt
from webui.decks.taught import TaughtDecks
from webui.storage.errors import StorageError

OWN = ProfileFields(
    cards=(PackPart(ranks=("8", "LADY"), copies=4), PackPart(ranks=("WIZARD",), copies=2)),
    wild_ranks=("WIZARD",),
    names={"LADY": "lady"},
    called={"WIZARD": "JK"},
)
EIGHT, LADY, WIZARD = Face("8"), Face("LADY"), Face("WIZARD")


def test_a_deck_is_added_with_its_pictures_and_read_again(decks: TaughtDecks) -> None:
    made = decks.add("Grandma's wizards", OWN, pictures([EIGHT, LADY, WIZARD, WIZARD]))
    assert made.id == "grandma-s-wizards" and made.missing == ()
    assert [(str(one.face), one.variant, one.path.name) for one in made.pictures] == [
        ("8", 1, "8-1.webp"),
        ("LADY", 1, "LADY-1.webp"),
        ("WIZARD", 1, "WIZARD-1.webp"),
        ("WIZARD", 2, "WIZARD-2.webp"),
    ]
    assert "grandma-s-wizards" in list_decks() and LADY in known_faces()
    assert decks.add("Grandma's wizards", "standard").id == "grandma-s-wizards-2"
    assert [deck.id for deck in decks.all()] == ["grandma-s-wizards", "grandma-s-wizards-2"]


def test_pictures_come_and_go_and_change_the_hash(decks: TaughtDecks) -> None:
    deck = decks.add("Ours", "standard", pictures([JOKER]))
    assert len(deck.missing) == 52
    before = deck.content_hash()
    added = decks.add_picture("ours", JOKER, picture("old joker"))
    assert added.variant == 2 and decks.get("ours").content_hash() != before
    decks.remove_picture("ours", JOKER, 2)
    assert decks.get("ours").content_hash() == before
    for typed, kept in (
        ("  The   red ones ", "The red ones"),
        ("👨\u200d👩\u200d👧\x00\u202e", "👨\u200d👩\u200d👧"),
        ("\ue000", "\ue000"),
    ):
        assert decks.rename("ours", typed).name == decks.get("ours").name == kept
    assert decks.get("ours").content_hash() == before


def test_a_removed_deck_is_off_the_lists_and_comes_back(decks: TaughtDecks) -> None:
    decks.add("Ours", OWN, pictures([LADY]))
    decks.remove("ours")
    assert decks.all() == [] and [deck.id for deck in decks.all(removed=True)] == ["ours"]
    assert "ours" not in list_decks() and LADY in known_faces()
    decks.bring_back("ours")
    assert [len(deck.pictures) for deck in decks.all()] == [1]
    with pytest.raises(DeckError, match="expected a deck that was removed before, got Ours"):
        decks.remove_for_good("ours")
    decks.remove("ours")
    decks.remove_for_good("ours")
    assert decks.get("ours").pictures == () and LADY in known_faces()  # old rounds may name it
    decks.add("Plain", "standard", pictures([JOKER]))
    decks.remove("plain")
    decks.remove_for_good("plain")
    assert not (decks.folder / "plain").exists()


@pytest.mark.parametrize(
    ("face", "data", "sentence"),
    [
        (Face("9"), picture("9"), "expected pictures of the deck's own faces, got one of 9"),
        (LADY, picture("x", width=300), "480 pixels wide and 480 to 1200 high, got LADY-1.webp with 300 by 672"),
        (LADY, picture("x", height=200), "got LADY-1.webp with 480 by 200"),
        (LADY, b"RIFF....WEBP and nothing", "expected a picture that can be opened, got LADY-1.webp, which is damaged"),
        (LADY, b"\x89PNG", "expected a WebP picture of 1 MB or less, got another file as LADY-1.webp"),
    ],
)
def test_a_wrong_picture_is_one_sentence_and_nothing_is_kept(
    decks: TaughtDecks, face: Face, data: bytes, sentence: str
) -> None:
    with pytest.raises(DeckError) as refused:
        decks.add("Ours", OWN, [(EIGHT, picture("8")), (face, data)])
    assert sentence in str(refused.value)
    assert decks.all() == [] and not (decks.folder / "ours").exists()
    decks.add("Ours", OWN)
    with pytest.raises(DeckError):
        decks.add_picture("ours", face, data)
    assert decks.get("ours").pictures == ()


def test_a_full_disk_leaves_no_half_deck(decks: TaughtDecks, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("webui.storage.files.deck_files.replace_file", full)
    with pytest.raises(StorageError, match="the deck cannot be kept: the disk is full"):
        decks.add("Ours", OWN, pictures([LADY]))
    assert list(decks.folder.iterdir()) == []


def test_a_name_that_shows_nothing_and_an_unknown_deck_are_refused(decks: TaughtDecks) -> None:
    decks.add("Ours", "standard")
    with pytest.raises(DeckError, match="expected a name that shows"):
        decks.rename("ours", "  ")
    with pytest.raises(DeckError, match="expected one of your own decks, got 'theirs'"):
        decks.get("theirs")
    with pytest.raises(DeckError, match="profile: expected one of hand-n-foot"):
        decks.add("Tarot", "tarot")
    assert load_deck("ours") == load_deck("standard")


def test_what_was_learnt_counts_while_it_is_whole_and_of_these_pictures(decks: TaughtDecks) -> None:
    data_dir = decks.folder.parent
    assert read_learnt(data_dir) is None
    deck = decks.add("Ours", OWN, pictures([EIGHT, LADY, WIZARD]))
    write_learnt(decks, {"ours": deck.content_hash()})
    learnt = read_learnt(data_dir)
    assert learnt is not None and learnt.covers(deck) and is_up_to_date(learnt, decks.all())
    decks.add_picture("ours", LADY, picture("another lady"))
    assert not learnt.covers(decks.get("ours")) and not is_up_to_date(learnt, decks.all())
    (decks.folder / "learnt" / "faces.deck.npz").write_bytes(b"other names")
    assert read_learnt(data_dir) is None
    assert (decks.folder / "ours" / DECK_FILE).exists()
