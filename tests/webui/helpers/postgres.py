"""A PostgreSQL server for tests in a folder of its own, reached by a socket; skipped if it is not installed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest


def _program(name: str) -> str | None:
    found = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))[::-1]), None)
    return found


class Cluster:
    """A server with an empty database; it refuses to run as root, so root lends it another user.

    Args:
        folder: an empty folder that may be given to that user.
        settings: of the server, beside those that keep it small.
    """

    _server: subprocess.Popen[bytes] | None = None

    def __init__(self, folder: Path, settings: str = "") -> None:
        self._set_folder(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if self._as:
            shutil.chown(folder, "postgres", "postgres")
        initdb = str(_program("initdb"))
        done = self._run([initdb, "-D", str(self.data), "-U", "club", "-A", "trust", "--no-sync", "--wal-segsize=1"])
        assert done.returncode == 0, done.stderr
        small = "listen_addresses = ''\nshared_buffers = 8MB\nmax_wal_size = 8MB\nmin_wal_size = 2MB\n"
        conf = self.data / "postgresql.conf"
        conf.write_text(conf.read_text() + small + settings)

    @property
    def address(self) -> str:
        return f"postgresql://club@/postgres?host={self.folder}"

    def emptied(self) -> str:
        """Empties the database. Returns its address."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self.address

    @property
    def pid(self) -> int:
        assert self._server is not None
        return self._server.pid

    def start(self) -> None:
        """Starts it and waits until it answers."""
        import psycopg

        command = [str(_program("postgres")), "-D", str(self.data), "-k", str(self.folder)]
        log = (self.folder / "log").open("ab")
        self._server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True, **self._as)
        for _ in range(2400):
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                assert self._server.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise AssertionError("PostgreSQL does not answer")

    def ensure_running(self) -> None:
        """Starts it, if it is not running."""
        if self._server is None or self._server.poll() is not None:
            self.start()

    def pids(self) -> list[int]:
        """The ids of the server's processes, the parent first."""
        assert self._server is not None
        children = Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children").read_text()
        return [self._server.pid, *map(int, children.split())]

    def kill(self) -> None:
        """Kills all its processes with SIGKILL."""
        if self._server is not None and self._server.poll() is None:
            for pid in self.pids():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._server.wait()

    def standby(self, folder: Path) -> Cluster:
        """A server that follows this one, which from now on answers no change before that one has it too."""
        import psycopg

        made = Cluster.__new__(Cluster)
        made._set_folder(folder)
        folder.mkdir(parents=True)
        if made._as:
            shutil.chown(folder, "postgres", "postgres")
        source = ["-h", str(self.folder), "-U", "club"]
        copy = [str(_program("pg_basebackup")), *source, "-D", str(made.data), "-R", "-c", "fast", "--no-sync"]
        done = self._run(copy)
        assert done.returncode == 0, done.stderr
        made.start()
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
        return made

    def take_over(self) -> None:
        """Makes a standby the server that takes changes; it waits for no other standby."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")

    def copy_files(self, target: Path) -> None:
        """Copies its files, for ``from_files``."""
        shutil.copytree(self.data, target / "data", ignore=shutil.ignore_patterns("postmaster.pid"))

    @classmethod
    def from_files(cls, folder: Path) -> Cluster:
        """A server on copied files; it is not started."""
        made = cls.__new__(cls)
        made._set_folder(folder)
        if made._as:
            for path in (folder, *folder.rglob("*")):
                shutil.chown(path, "postgres", "postgres")
        made.data.chmod(0o700)
        return made

    def _set_folder(self, folder: Path) -> None:
        """Sets where its files are and which user runs it."""
        other: dict[str, Any] = {"user": "postgres", "group": "postgres", "extra_groups": []}
        self._as = other if os.getuid() == 0 else {}
        self.folder, self.data = folder, folder / "data"

    def stop(self, sign: int = signal.SIGINT) -> None:
        """Stops it, by SIGINT unless another signal is given, and waits for its end."""
        if self._server is not None and self._server.poll() is None:
            self._server.send_signal(sign)
            self._server.wait(timeout=60)

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **self._as)


def missing() -> str | None:
    """Why there can be no server here, None where there can be one."""
    if _program("initdb") is None or _program("postgres") is None:
        return "PostgreSQL is not installed"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return None


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A running server; skips the test where there can be none."""
    if why := missing():
        pytest.skip(why)
    folder = Path(tempfile.mkdtemp(prefix="handfoot-pg-"))  # pytest's own folders are closed to the server's user
    folder.chmod(0o755)
    try:
        cluster = Cluster(folder / "s", "fsync = off\n")
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop(signal.SIGQUIT)  # nothing of it is needed any more
    finally:
        shutil.rmtree(folder, ignore_errors=True)
