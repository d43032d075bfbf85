"""Machines on which handfoot cannot run: one sentence from every command, before anything compiled is imported."""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from webui.cli import MODULES, main
from webui.commands.machine import supported

CORE_2 = "fpu sse sse2 pni ssse3 cx16 sse4_1 lahf_lm"
NEHALEM = f"{CORE_2} sse4_2 popcnt"


def _cpu(tmp_path: Path, flags: str) -> Path:
    path = tmp_path / "cpuinfo"
    path.write_text(f"processor\t: 0\nmodel name\t: A processor\nflags\t\t: {flags}\n\n", encoding="ascii")
    return path


@pytest.fixture
def pc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PC with Linux and glibc, on which all is installed."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(platform, "libc_ver", lambda: ("glibc", "2.36"))
    monkeypatch.setattr(supported, "CPU_INFO", _cpu(tmp_path, NEHALEM))
    return tmp_path


@pytest.mark.parametrize("command", MODULES)
def test_a_processor_that_is_too_old_is_one_sentence_from_every_command(
    pc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setattr(supported, "CPU_INFO", _cpu(pc, CORE_2))
    assert main([command]) == 1
    said = capsys.readouterr()
    assert not said.out and len(said.err.splitlines()) == 1
    assert "this computer's processor is too old: it lacks popcnt, sse4_2; handfoot runs on" in said.err


def test_nothing_compiled_is_imported_before_the_machine_is_known_to_be_supported(tmp_path: Path) -> None:
    told = (
        "import sys; from pathlib import Path; from webui.commands.machine import supported\n"
        f"supported.CPU_INFO = Path({str(_cpu(tmp_path, CORE_2))!r}); supported.platform.machine = lambda: 'x86_64'\n"
        "from webui.cli import main\n"
        "assert main(['doctor']) == 1\n"
        "print({'numpy', 'cv2', 'onnxruntime', 'pydantic_core', 'sqlalchemy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("set()", 0) and "too old" in done.stderr


@pytest.mark.parametrize(
    ("system", "machine", "libc", "said"),
    [
        ("linux", "x86_64", "glibc", "not all of handfoot is installed, onnxruntime is missing"),
        ("linux", "aarch64", "glibc", "not all of handfoot is installed, onnxruntime is missing"),
        ("linux", "x86_64", "musl", "Linux systems without glibc, such as Alpine, are not supported; handfoot runs on"),
        ("linux", "aarch64", "", "Linux systems without glibc, such as Alpine, are not supported"),
        ("linux", "armv7l", "glibc", "processors of the kind armv7l are not supported"),
        ("darwin", "x86_64", "", "Macs with an Intel processor are not supported; handfoot runs on"),
        ("darwin", "arm64", "", "not all of handfoot is installed, onnxruntime is missing"),
    ],
)
def test_where_installing_failed_it_is_said_why(
    pc: Path, monkeypatch: pytest.MonkeyPatch, system: str, machine: str, libc: str, said: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: (libc, ""))
    assert supported.why_unsupported() is None, "what is installed is believed to work"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else find(name))
    assert (supported.why_unsupported() or "").startswith(said)


def test_a_machine_that_does_not_tell_its_processor_is_believed_to_do(
    pc: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(supported, "CPU_INFO", tmp_path / "none")
    assert supported.why_unsupported() is None
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nBogoMIPS\t: 108.00\n", encoding="ascii")
    monkeypatch.setattr(supported, "CPU_INFO", tmp_path / "cpuinfo")
    assert supported.why_unsupported() is None


def test_this_machine_is_supported() -> None:
    assert supported.why_unsupported() is None
