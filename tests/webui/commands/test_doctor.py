"""What the doctor reports as fine and as wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import webui.commands.cards.scan
import webui.commands.doctor
import webui.commands.machine.host_info
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.test_cli import Captured, lines, no_reader
from vision.cameras import Abilities, Listed
from webui.cli import main
from webui.storage.db.engines import journal


@pytest.fixture(autouse=True)
def drawn_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webui.commands.doctor, "load_chosen_reader", lambda _: ("onnx", DrawnReader()))


def test_the_doctor_reports_whether_a_table_could_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    fine = [{"name": "detector.onnx", "path": "x", "ok": True, "message": "as shipped"}]
    monkeypatch.setattr(webui.commands.doctor, "weights_report", lambda: fine)
    assert main(["doctor", "--json", "--data", str(tmp_path)]) == 0
    (report,) = lines(capsys.readouterr().out)
    assert report["ok"] and [check["name"] for check in report["checks"]][:5] == [
        "cameras",
        "weights",
        "engine",
        "storage",
        "disk",
    ]
    (storage,) = (check["message"] for check in report["checks"] if check["name"] == "storage")
    assert storage == f"0 games in {tmp_path}, {journal()}"
    monkeypatch.setattr(webui.commands.doctor, "weights_report", lambda: [{**fine[0], "ok": False}])
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert "BAD  weights" in capsys.readouterr().out


def test_the_doctor_lists_cameras_with_their_abilities(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    able = Abilities((1280, 720), (3840, 2160), focus=True)
    monkeypatch.setattr(webui.commands.doctor, "list_cameras", lambda: [Listed("0", "camera 0", able)])
    main(["doctor", "--data", str(tmp_path)])
    said = capsys.readouterr().out
    assert "camera 0 (--camera 0): preview 1280 x 720, stills 3840 x 2160, focus can be set\n" in said


def test_the_doctor_offers_the_path_that_stays_when_numbers_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    able, path = Abilities((1280, 720), (1280, 720)), "/dev/v4l/by-id/usb-Maker_HD_Webcam-video-index0"
    monkeypatch.setattr(webui.commands.doctor, "list_cameras", lambda: [Listed("2", "camera 2", able, path)])
    main(["doctor", "--data", str(tmp_path)])
    assert f"camera 2 (--camera 2, or --camera {path}, which stays when numbers change): " in capsys.readouterr().out


def test_the_doctor_reports_heat_and_undervoltage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, files in {"zone": {"temp": "81500"}, "volt": {"name": "rpi_volt", "in0_lcrit_alarm": "1"}}.items():
        place = tmp_path / folder / ("thermal_zone0" if folder == "zone" else "hwmon1")
        place.mkdir(parents=True)
        for name, text in files.items():
            (place / name).write_text(text + "\n")
    monkeypatch.setattr(webui.commands.machine.host_info, "_ZONES", tmp_path / "zone")
    monkeypatch.setattr(webui.commands.machine.host_info, "_SENSORS", tmp_path / "volt")
    heat, power = webui.commands.machine.host_info.host_checks()
    assert heat.message.startswith("82 °C; it slows itself down") and "too little voltage" in power.message
    monkeypatch.setattr(webui.commands.machine.host_info, "_ZONES", tmp_path)
    monkeypatch.setattr(webui.commands.machine.host_info, "_SENSORS", tmp_path)
    assert list(webui.commands.machine.host_info.host_checks()) == []


def test_the_doctor_reports_a_broken_reader_and_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(webui.commands.doctor, "weights_report", list)
    monkeypatch.setattr(webui.commands.doctor, "load_chosen_reader", no_reader)
    (tmp_path / "file").write_bytes(b"")
    assert main(["doctor", "--json", "--data", str(tmp_path / "file")]) == 1
    (report,) = lines(capsys.readouterr().out)
    assert {check["name"] for check in report["checks"] if not check["ok"]} == {"engine", "storage"}
