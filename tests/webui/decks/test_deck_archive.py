"""Decks go to another machine, as a file of their own and with the games; what is wrong is left out by its name."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from scorer.deck import use_deck_folder
from scorer.errors import DeckError
from scorer.faces import JOKER, Face
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import picture, pictures
from tests.webui.decks.test_taught import OWN
from tests.webui.storage.backup.test_import_files import rewrite
from vision.arrays import floats
from vision.detect.detections import ROI_EMBEDDING
from vision.images.sandbox import shared_decoder
from vision.looks.looks import NO_INDEX, Looks
from webui.decks.deck_archive import DeckImport, export_decks, import_decks
from webui.decks.learning import DeckLearning
from webui.decks.learnt import read_learnt
from webui.decks.taught import TaughtDecks
from webui.settings import decks_folder
from webui.storage.backup.deck_import import NewDeck, deck_paths
from webui.storage.backup.import_files import _with_decks
from webui.storage.errors import ArchiveError
from webui.storage.files.learnt_files import LOCK
from webui.storage.records import SideRecord
from webui.storage.store import Store

KING = Face("K", "H")


@pytest.fixture
def packed(decks: TaughtDecks, tmp_path: Path) -> Path:
    """Two decks and what was learnt of them as a file."""
    ours = decks.add("Ours", OWN, pictures([Face("8"), Face("LADY"), Face("WIZARD")]))
    jokers = decks.add("Jokers", "standard", pictures([JOKER, JOKER]))
    write_learnt(decks, {deck.id: deck.content_hash() for deck in (ours, jokers)})
    path = tmp_path / "decks.zip"
    path.write_bytes(export_decks(tmp_path, ["ours", "jokers"]))
    return path


@pytest.fixture
def there(tmp_path: Path) -> TaughtDecks:
    """Another machine's decks, which are in use from now on."""
    folder = tmp_path / "there"
    folder.mkdir()
    use_deck_folder(decks_folder(folder))
    return TaughtDecks(folder, shared_decoder().decode)


def bring(path: Path, there: TaughtDecks) -> DeckImport:
    return import_decks(path, there.folder.parent, shared_decoder().decode)


def test_decks_and_what_was_learnt_of_them_come_to_another_machine(packed: Path, there: TaughtDecks) -> None:
    assert bring(packed, there) == DeckImport(
        (NewDeck("jokers", "Jokers", "Jokers"), NewDeck("ours", "Ours", "Ours")), {}
    )
    assert [(deck.name, len(deck.pictures)) for deck in there.all()] == [("Jokers", 2), ("Ours", 3)]
    learnt = read_learnt(there.folder.parent)
    assert learnt is not None and all(map(learnt.covers, there.all()))
    assert bring(packed, there) == DeckImport((), {})  # they are there already


LOOKS = Looks("networks", ("8", "LADY"), np.array([0, 1, NO_INDEX], np.int16), floats(np.eye(3, ROI_EMBEDDING)))


def test_what_rounds_taught_comes_along_and_is_in_no_backup(
    decks: TaughtDecks, packed: Path, there: TaughtDecks, tmp_path: Path
) -> None:
    use_deck_folder(decks.folder)
    packed.write_bytes(export_decks(tmp_path, ["ours", "jokers"], {"ours": LOOKS.to_bytes()}))
    use_deck_folder(there.folder)
    assert bring(packed, there).left_out == {}
    came = Looks.from_bytes((there.folder / "ours" / "looks.npz").read_bytes())
    assert came.ranks == LOOKS.ranks and np.array_equal(came.embeddings, LOOKS.embeddings)
    assert not (there.folder / "jokers" / "looks.npz").exists()
    assert {path.name for path in deck_paths(there.folder.parent, learnt=True)}.isdisjoint({"looks.npz"})


@pytest.mark.parametrize("data", [b"PK no arrays", b"", Looks("n", ("8",), LOOKS.labels, LOOKS.embeddings).to_bytes()])
def test_a_deck_whose_looks_are_damaged_is_left_out(packed: Path, there: TaughtDecks, data: bytes) -> None:
    rewrite(packed, lambda held: held.update({"decks/ours/looks.npz": data}))
    left_out = bring(packed, there).left_out
    assert left_out.keys() == ({"ours"} if data else set())
    assert not data or "expected what rounds taught of the cards, the file" in left_out["ours"]


def test_another_deck_of_the_same_name_stays_as_it_is_and_that_of_the_file_gets_its_own(
    packed: Path, there: TaughtDecks
) -> None:
    there.add("Ours", "standard", pictures([JOKER]))
    there.add("JOKERS", "standard", pictures([KING]), "a-third-name")
    found = bring(packed, there)
    assert found.new == (NewDeck("jokers", "Jokers 2", "Jokers"), NewDeck("ours-2", "Ours 2", "Ours"))
    assert there.get("ours").file.profile == "standard" and len(there.get("ours-2").pictures) == 3
    learnt = read_learnt(there.folder.parent)
    assert learnt is not None and learnt.decks.keys() == learnt.tests.keys() == {"jokers", "ours-2"}
    assert learnt.covers(there.get("ours-2")) and not learnt.covers(there.get("ours"))
    assert bring(packed, there) == DeckImport((), {}), "by its content it is here already"


def test_the_same_cards_under_another_name_are_here_already(packed: Path, there: TaughtDecks) -> None:
    there.add("Grandma's", "standard", pictures([JOKER, JOKER]))
    assert [deck.id for deck in bring(packed, there).new] == ["ours"]
    learnt = read_learnt(there.folder.parent)
    assert learnt is not None and learnt.decks.keys() == {"grandma-s", "ours"} and learnt.covers(there.get("grandma-s"))


@pytest.mark.parametrize("name", ["mine", "ours"])
def test_what_was_learnt_of_decks_here_stays_and_all_are_learned_together(
    packed: Path, there: TaughtDecks, name: str
) -> None:
    mine = there.add(name, "standard", pictures([KING]))
    folder = write_learnt(there, {name: mine.content_hash()}, whole=[name])
    before = (folder / "learnt.json").read_bytes()
    assert not DeckLearning(there).is_behind()
    assert len(bring(packed, there).new) == 2 and (folder / "learnt.json").read_bytes() == before
    assert DeckLearning(there).is_behind(), "the page learns them all"


def test_what_was_learnt_of_decks_that_are_gone_makes_room(packed: Path, there: TaughtDecks) -> None:
    write_learnt(there, {"gone": "0" * 64})
    bring(packed, there)
    assert not DeckLearning(there).is_behind()


def test_what_was_brought_in_while_cards_are_learned_is_to_be_learned(packed: Path, there: TaughtDecks) -> None:
    (there.folder / "learnt").mkdir(parents=True)
    with FileLock(there.folder / "learnt" / LOCK):
        assert len(bring(packed, there).new) == 2
    assert read_learnt(there.folder.parent) is None and DeckLearning(there).is_behind()


def test_a_list_that_is_full_takes_no_deck_of_a_file(
    packed: Path, there: TaughtDecks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.storage.files.deck_files.MAX_DECKS", 2)
    there.add("Mine", "standard", pictures([KING]))
    found = bring(packed, there)
    assert [deck.id for deck in found.new] == ["jokers"]
    assert found.left_out == {"ours": "expected 2 decks of your own or fewer; remove one for good first"}
    there.remove("mine")
    there.remove_for_good("mine")
    assert [deck.id for deck in bring(packed, there).new] == ["ours"], "there is room again"


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("decks/ours/deck.toml", b"id = 'ours'", "ours/deck.toml: name: expected this key"),
        ("decks/ours/faces/9-1.webp", picture("9"), "expected pictures of the deck's own faces, got one of 9"),
        ("decks/ours/faces/LADY-1.webp", b"RIFF    WEBP no picture", "LADY-1.webp, which is damaged"),
        ("decks/ours/faces/LADY-1.webp", b"PK a file in a file", "got another file as LADY-1.webp"),
        ("decks/ours/faces/LADY-2.webp", picture("x", width=200), "got LADY-2.webp with 200 by 672"),
    ],
)
def test_a_deck_that_is_not_valid_is_left_out_whole(
    packed: Path, there: TaughtDecks, name: str, data: bytes, sentence: str
) -> None:
    rewrite(packed, lambda held: held.update({name: data}))
    found = bring(packed, there)
    assert [deck.id for deck in found.new] == ["jokers"] and sentence in found.left_out["ours"]
    assert not (there.folder / "ours").exists()


def test_a_damaged_file_is_told_without_its_insides(packed: Path, there: TaughtDecks) -> None:
    with zipfile.ZipFile(packed) as archive:
        start = archive.getinfo("decks/ours/faces/LADY-1.webp").header_offset
    data = bytearray(packed.read_bytes())
    data[start + 120] ^= 0xFF
    packed.write_bytes(data)
    found = bring(packed, there)
    sentence = "the file is damaged where this deck is; save it again where it came from"
    assert [deck.id for deck in found.new] == ["jokers"] and found.left_out == {"ours": sentence}


def test_files_of_other_names_are_not_taken(packed: Path, there: TaughtDecks) -> None:
    odd = ("decks/ours/../../evil.txt", "decks/ours/faces/run.sh", "decks/ours/faces/../x.webp", "secret-key")
    rewrite(packed, lambda held: held.update(dict.fromkeys(odd, b"x")))
    bring(packed, there)
    assert sorted(path.name for path in (there.folder / "ours").rglob("*") if path.is_file()) == [
        "8-1.webp",
        "LADY-1.webp",
        "WIZARD-1.webp",
        "deck.toml",
    ]
    assert not (there.folder.parent / "evil.txt").exists()


def test_what_was_learnt_must_be_what_its_note_says(packed: Path, there: TaughtDecks) -> None:
    rewrite(packed, lambda held: held.update({"decks/learnt/faces.deck.npz": b"another"}))
    assert bring(packed, there).left_out == {
        "learnt": "what was learned of the decks cannot be used: its files are damaged; learn the cards here"
    }
    assert read_learnt(there.folder.parent) is None


def test_arrays_that_do_not_fit_are_refused_by_name(packed: Path, there: TaughtDecks) -> None:
    written = io.BytesIO()
    np.savez(written, faces=np.zeros(40_000, "<U1"), rank_names=np.zeros(1, "<U1"), suit_names=np.zeros(1, "<U1"))

    def change(held: dict[str, bytes]) -> None:
        note = json.loads(held["decks/learnt/learnt.json"])
        note["sha256"]["faces.deck.npz"] = sha256(written.getvalue()).hexdigest()
        held |= {
            "decks/learnt/faces.deck.npz": written.getvalue(),
            "decks/learnt/learnt.json": json.dumps(note).encode(),
        }

    rewrite(packed, change)
    found = bring(packed, there)
    why = "faces.deck.npz does not fit: expected 2000 faces or fewer, of 12 letters at most"
    assert (
        found.left_out["learnt"] == f"what was learned of the decks cannot be used: {why}; learn the cards here"
        and len(found.new) == 2
    )
    assert not (there.folder / "learnt").exists()


def test_what_an_earlier_version_learned_is_told(packed: Path, there: TaughtDecks) -> None:
    def change(held: dict[str, bytes]) -> None:
        note = json.loads(held["decks/learnt/learnt.json"])
        note["sha256"]["roi_head.npz"] = sha256(b"a network of its own").hexdigest()
        held |= {
            "decks/learnt/roi_head.npz": b"a network of its own",
            "decks/learnt/learnt.json": json.dumps(note).encode(),
        }

    rewrite(packed, change)
    assert "by another version of the program; learn the cards here" in bring(packed, there).left_out["learnt"]


def test_a_file_that_fills_the_disk_or_holds_no_decks_is_refused(packed: Path, there: TaughtDecks) -> None:
    bomb = packed.with_name("bomb.zip")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("decks/ours/faces/8-1.webp", bytes(5 * 1024**2))
    with pytest.raises(ArchiveError, match="holds a file larger than any export has"):
        bring(bomb, there)
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("decks/ours/deck.toml", "x")
    with pytest.raises(ArchiveError, match="packed in a way that no export is"):
        bring(bomb, there)
    with zipfile.ZipFile(bomb, "w") as archive:
        archive.writestr("holiday.txt", "sun")
    with pytest.raises(ArchiveError, match="holds no decks"):
        bring(bomb, there)
    bomb.write_bytes(b"a photo, perhaps")
    with pytest.raises(ArchiveError, match="damaged"):
        bring(bomb, there)
    assert there.all() == []


@pytest.mark.parametrize("seed", range(12))
def test_damaged_bytes_are_told_in_one_sentence_and_nothing_half_comes_in(
    packed: Path, there: TaughtDecks, seed: int
) -> None:
    rng, data = np.random.default_rng(seed), bytearray(packed.read_bytes())
    for place in rng.integers(0, len(data), 1 + 4 * (seed % 3)):
        data[place] = rng.integers(256)
    packed.write_bytes(data[: None if seed % 4 else rng.integers(len(data))])
    try:
        left_out = bring(packed, there).left_out.values()
    except ArchiveError as error:
        left_out = {"": str(error)}.values()
    assert all(sentence and "\n" not in sentence and str(there.folder) not in sentence for sentence in left_out)
    whole = {"jokers": 2, "ours": 3}
    assert all(len(deck.pictures) == whole[deck.id] for deck in there.all())


def test_no_deck_is_saved_that_another_computer_refuses(
    packed: Path, decks: TaughtDecks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.decks.deck_archive.MAX_PICTURES", 2)
    assert export_decks(tmp_path, ["jokers"])
    sentence = "Ours has 3 pictures of 1 MB together, and a file holds 2 of 16 MB: remove some, then save it again"
    with pytest.raises(DeckError, match=sentence):
        export_decks(tmp_path, ["ours"])
    monkeypatch.undo()
    monkeypatch.setattr("webui.decks.deck_archive.MAX_DECK", 100)
    with pytest.raises(DeckError, match="remove some, then save it again"):
        export_decks(tmp_path, ["ours"])


def test_a_deck_that_is_not_there_cannot_be_saved(decks: TaughtDecks, tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="expected your own decks, got 'theirs'"):
        export_decks(tmp_path, ["theirs"])


def test_decks_are_in_exports_and_in_backups_and_come_with_the_games(
    packed: Path, decks: TaughtDecks, there: TaughtDecks, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    store.backups.export(tmp_path / "all.zip")
    backup = store.backups.back_up().path
    streamed = tmp_path / "streamed.zip"
    stream = store.backups.stream_export()
    streamed.write_bytes(b"".join(stream))
    stream.close()
    store.close()
    in_export, in_stream, in_backup = (
        {name for name in zipfile.ZipFile(path).namelist() if name.startswith("decks/")}
        for path in (tmp_path / "all.zip", streamed, backup)
    )
    assert in_export == in_stream and "decks/learnt/faces.deck.npz" in in_export
    assert in_backup == {name for name in in_export if "learnt" not in name}
    rewrite(tmp_path / "all.zip", lambda held: held.update({"decks/jokers/deck.toml": b"id = 'jokers'"}))
    other = Store(there.folder.parent)
    result = other.backups.import_games(tmp_path / "all.zip")
    other.close()
    assert [deck.id for deck in there.all()] == ["ours"]
    assert "expected this key" in result.checked.refused["decks/jokers/deck.toml"]


def test_games_and_rules_of_a_file_go_by_its_own_decks_and_not_by_those_of_the_same_name(
    packed: Path, decks: TaughtDecks, there: TaughtDecks, tmp_path: Path
) -> None:
    sides = [SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di"))]
    store = Store(tmp_path)
    store.add_game("golden-games", 4, sides, decks=["ours", "standard"])
    store.backups.export(tmp_path / "all.zip")
    store.close()
    assert _with_decks(b'deck = "ours"\ndecks = ["jokers"]', {"ours": "ours-2"}) == (
        b'deck = "ours-2"\ndecks = [\n    "jokers",\n]\n'
    )
    there.add("Ours", "standard", pictures([KING]))
    other = Store(there.folder.parent)
    for _ in range(2):
        result = other.backups.import_games(tmp_path / "all.zip")
        (game,) = other.games()
        assert game.decks == ("ours-2", "standard")
    other.close()
    assert not result.decks and there.get("ours").profile.id == "standard" and len(there.get("ours-2").pictures) == 3
