"""The command line: output, exit codes 0, 1 and 2, and never a traceback."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import webui.commands.cards.scan
import webui.commands.doctor
import webui.commands.machine.host_info
from scorer.deck import use_deck_folder
from scorer.faces import Face
from scorer.rules import load_rules, rules_file, use_folder
from tests.webui.commands.test_score import SHEET
from tests.webui.helpers.drawn import NO_CARDS, NORTH_TABLE, DrawnReader, photo
from tests.webui.house_rules.own import kept_copy
from vision.errors import WeightsError
from webui.cli import main
from webui.reading.reader_service import Reader
from webui.storage.store import Store

ROOT = Path(__file__).parents[2]
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def drawn_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (webui.commands.cards.scan, webui.commands.doctor):
        monkeypatch.setattr(command, "load_chosen_reader", lambda _: ("onnx", DrawnReader()))


def no_reader(_: Path) -> tuple[str, Reader]:
    raise WeightsError("the weights are missing; install handfoot again")


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_help_of_every_command(capsys: Captured) -> None:
    for command in ([], ["serve"], ["scan"], ["score"], ["rules"], ["doctor"], ["restore"], ["report"]):
        with pytest.raises(SystemExit) as left:
            main([*command, "--help"])
        assert left.value.code == 0
        assert "usage: handfoot" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["play"],
        ["scan"],
        ["score"],
        ["rules", "a", "b"],
        ["serve", "--port", "x"],
        ["serve", "--lan", "--host", "x"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2


def test_rules_are_listed_and_shown(capsys: Captured) -> None:
    assert main(["rules", "--json"]) == 0
    listed = {rules["id"]: rules for rules in lines(capsys.readouterr().out)}
    assert {"golden-games", "cutting-22"} <= listed.keys()
    assert main(["rules", "golden-games", "--json"]) == 0
    assert lines(capsys.readouterr().out) == [listed["golden-games"]]
    assert main(["rules", "golden-games"]) == 0
    assert listed["golden-games"]["source"] in capsys.readouterr().out


@pytest.fixture
def own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a user's own rule sets, with an edited copy of a shipped one in it."""
    monkeypatch.setattr("webui.settings.default_data_dir", lambda: tmp_path)
    folder = tmp_path / "rulesets"
    folder.mkdir()
    shipped = rules_file("cutting-22").read_text(encoding="utf-8")
    edited = shipped.replace('id = "cutting-22"', 'id = "our-house"').replace("clean = 500", "clean = 600")
    (folder / "our-house.toml").write_text(edited, encoding="utf-8")
    yield folder
    use_folder(None)
    use_deck_folder(None)


def test_a_user_s_rule_set_is_listed_beside_the_others_with_its_file(own_rules: Path, capsys: Captured) -> None:
    assert main(["rules"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert listed["our-house"].endswith(str(own_rules / "our-house.toml"))
    assert listed["cutting-22"].endswith(str(Path("rulesets") / "cutting-22.toml"))
    assert str(own_rules) not in listed["cutting-22"]
    assert main(["rules", "our-house", "--json"]) == 0
    (shown,) = lines(capsys.readouterr().out)
    assert (shown["books"]["clean"], shown["file"]) == (600, str(own_rules / "our-house.toml"))


def test_a_user_s_rule_set_scores_and_is_reloaded_after_editing(
    own_rules: Path, tmp_path: Path, capsys: Captured
) -> None:
    sheet = tmp_path / "sheet.json"
    book = ["8H", "8S", "8D", "8C", "8H", "8S", "8D"]
    sheet.write_text(json.dumps({"rules": "our-house", "round": 1, "players": 4, "sides": [{"melds": [book]}]}))
    path = own_rules / "our-house.toml"
    for bonus in (600, 650):
        assert main(["score", str(sheet), "--json"]) == 0
        (tally,) = lines(capsys.readouterr().out)
        assert tally["sides"][0]["total"] == bonus + 70
        path.write_text(path.read_text(encoding="utf-8").replace("clean = 600", "clean = 650"), encoding="utf-8")
        os.utime(path, ns=(1, 1))


def test_a_user_s_broken_file_is_one_sentence_and_the_others_are_listed(own_rules: Path, capsys: Captured) -> None:
    (own_rules / "broken.toml").write_text('id = "broken"\nbooks = 7\n', encoding="utf-8")
    assert main(["rules"]) == 1
    said = capsys.readouterr()
    listed = [line.split()[0] for line in said.out.splitlines()]
    assert "our-house" in listed and "golden-games" in listed and "broken" not in listed
    assert said.err.startswith("handfoot: broken.toml: ") and len(said.err.splitlines()) == 1
    assert main(["rules", "broken"]) == 1
    assert "broken.toml" in capsys.readouterr().err
    assert main(["rules", "golden-games"]) == 0


def test_a_user_s_file_overrides_a_shipped_one(own_rules: Path, capsys: Captured) -> None:
    shipped = rules_file("golden-games").read_text(encoding="utf-8")
    (own_rules / "golden-games.toml").write_text(shipped.replace("clean = 700", "clean = 701"), encoding="utf-8")
    assert main(["rules", "--json"]) == 0
    (found,) = [rules for rules in lines(capsys.readouterr().out) if rules["id"] == "golden-games"]
    assert (found["books"]["clean"], found["file"]) == (701, str(own_rules / "golden-games.toml"))


def test_an_unknown_rule_set_is_one_sentence_with_the_known_ones(capsys: Captured) -> None:
    for arguments in (["rules", "bridge"], ["scan", "x.jpg", "--rules", "bridge"], ["serve", "--rules", "bridge"]):
        assert main(arguments) == 1
        said = capsys.readouterr()
        assert said.out == "" and "golden-games" in said.err and len(said.err.splitlines()) == 1


def test_a_bad_photo_does_not_stop_the_others(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.jpg").write_bytes(photo(NORTH_TABLE))
    (tmp_path / "b.jpg").write_bytes(b"no photo")
    (tmp_path / "c.png").write_bytes(photo(NO_CARDS, ".png"))
    assert main(["scan", str(tmp_path), str(tmp_path / "gone.jpg"), "--json"]) == 1
    said = capsys.readouterr()
    first, second = lines(said.out)
    assert (first["photo"], second["photo"]) == (str(tmp_path / "a.jpg"), str(tmp_path / "c.png"))
    assert {"width", "height", "seconds", "cards", "groups", "warnings"} <= first.keys()
    assert first["cards"][14]["others"] == [["9D", 0.2], ["8D", 0.2]] and second["cards"] == []
    assert "b.jpg is not a photo" in said.err and "gone.jpg cannot be opened" in said.err


def test_the_house_rules_reach_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = DrawnReader()
    monkeypatch.setattr(webui.commands.cards.scan, "load_chosen_reader", lambda _: ("onnx", reader))
    (tmp_path / "a.jpg").write_bytes(photo(NORTH_TABLE))
    assert main(["scan", str(tmp_path / "a.jpg"), "--rules", "cutting-22", "--deck", "standard"]) == 0
    ((source, house_rules),) = reader.asked
    assert source == str(tmp_path / "a.jpg")
    assert (house_rules.wild_ranks, house_rules.book_size) == (frozenset({"2", "JK"}), 7)
    assert house_rules.copies[Face.parse("8H")] == load_rules("cutting-22").packs.for_players(4)


def test_an_unknown_deck_is_a_sentence(tmp_path: Path, capsys: Captured) -> None:
    assert main(["scan", str(tmp_path / "a.jpg"), "--deck", "tarot"]) == 1
    assert "standard" in capsys.readouterr().err


def test_annotated_photos_never_overwrite_photos(tmp_path: Path, capsys: Captured) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.jpg").write_bytes(photo(NORTH_TABLE))
    before = (tmp_path / "one" / "a.jpg").read_bytes()
    arguments = [str(tmp_path / "one"), str(tmp_path / "two"), "--annotate", str(tmp_path / "one")]
    assert main(["scan", *arguments]) == 0
    assert (tmp_path / "one" / "a.jpg").read_bytes() == before
    made = sorted(path for path in (tmp_path / "one").iterdir() if path.name != "a.jpg")
    assert len(made) == 2
    drawn, plain = cv2.imread(str(made[0])), cv2.imread(str(tmp_path / "one" / "a.jpg"))
    assert drawn is not None and plain is not None and drawn.shape == plain.shape
    assert np.abs(drawn.astype(int) - plain).max() > 100
    assert "clean meld: 8H 8S" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.jpg").write_bytes(photo(NORTH_TABLE))
    (tmp_path / "file").write_bytes(b"")
    assert main(["scan", str(tmp_path / "a.jpg"), "--annotate", str(tmp_path / "file")]) == 1
    assert "cannot be made" in capsys.readouterr().err


def test_missing_weights_are_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(webui.commands.cards.scan, "load_chosen_reader", no_reader)
    (tmp_path / "a.jpg").write_bytes(photo(NORTH_TABLE))
    assert main(["scan", str(tmp_path / "a.jpg")]) == 1
    assert capsys.readouterr().err == "handfoot: the weights are missing; install handfoot again\n"


def test_unexpected_errors_are_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("webui.commands.rules.list_rules", lambda: 1 / 0)
    assert main(["rules"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_closed_pipe_is_no_error() -> None:
    command = f"'{sys.executable}' -m webui.cli rules --json | true"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("stop", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.by_hand)])
def test_the_page_is_served_until_it_is_stopped(tmp_path: Path, capsys: Captured, stop: signal.Signals) -> None:
    port = free_port()
    command = [sys.executable, "-m", "webui.cli", "serve", "--port", str(port), "--data", str(tmp_path / "data")]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        page = wait_for(f"http://127.0.0.1:{port}/", server)
        assert "New game" in page
        assert main(["serve", "--port", str(port), "--data", str(tmp_path / "other")]) == 1
        assert "choose another with --host or --port" in capsys.readouterr().err
        health: dict[str, Any] = {}
        while not (health.get("reader_loaded") or "reader" in health.get("wrong", {})):  # nothing is begun any more
            health = json.loads(wait_for(f"http://127.0.0.1:{port}/healthz", server))
            time.sleep(0.1)
    finally:
        server.send_signal(stop)
        out, err = server.communicate(timeout=60)
    assert server.returncode == 0 and "Traceback" not in err
    assert f"http://localhost:{port}/" in out
    store = Store(tmp_path / "data")
    assert store.games() == [] and store.backups.damage is None
    store.close()


def wait_for(address: str, server: subprocess.Popen[str] | None = None) -> str:
    """The page at an address once it answers; ``server`` is the process that serves it, where it has one."""
    for _ in range(1200):
        assert server is None or server.poll() is None, server.communicate()
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing answers at {address}")


def test_own_rule_sets_of_a_data_folder_score_from_the_command_line(tmp_path: Path, capsys: Captured) -> None:
    """``rules``, ``score`` and ``scan`` know the rule sets that the page made in the folder of ``--data``."""
    own = kept_copy("golden-games", tmp_path / "data" / "rulesets").id
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({**SHEET, "rules": own}), encoding="utf-8")
    table = tmp_path / "table.jpg"
    table.write_bytes(photo(NORTH_TABLE))
    commands = (["rules", own], ["score", str(sheet)], ["scan", str(table), "--rules", own])
    for command in commands:
        assert main([*command, "--json", "--data", str(tmp_path / "data")]) == 0, command
        assert lines(capsys.readouterr().out), command
    for command in commands:
        assert main([*command, "--json", "--data", str(tmp_path / "elsewhere")]) == 1
        assert f'got "{own}"' in capsys.readouterr().err


def test_a_command_loads_no_other() -> None:
    """Scoring a sheet on a small machine should not wait for the libraries of the page and the storage."""
    others = {"flask", "sqlalchemy.orm", "onnxruntime", "cv2"}
    told = f"import sys; from webui.cli import main; main(['rules']); print({others} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
