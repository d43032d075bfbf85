"""The switch on the page that lets the other devices of the network in, by the access code, and shuts them out."""

from __future__ import annotations

import threading
from collections.abc import Callable

from webui.access.access_code import AccessCode
from webui.access.network import ALL_INTERFACES


class NetworkSwitch:
    """Where the page listens: as it was started, or as somebody switched it since, which is kept. Thread-safe.

    Args:
        host: the address that it was started to listen at.
        access_code: what other devices come in by, which keeps the choice.
        exists: whether there is a choice: the page was started for this machine alone, by no word of whoever did.
    """

    def __init__(self, host: str, access_code: AccessCode, exists: bool = False) -> None:
        self._started_at, self._access_code, self.exists = host, access_code, exists
        self._lock = threading.Lock()
        self._listen: Callable[[str], None] = lambda host: None

    @property
    def is_on(self) -> bool:
        """Whether somebody has let the other devices in by this switch."""
        return self.exists and self._access_code.secrets.open_to_network

    @property
    def host(self) -> str:
        """The address that the page listens at now: all of this machine's while the switch is on."""
        return ALL_INTERFACES[0] if self.is_on else self._started_at

    def listens_by(self, listen: Callable[[str], None]) -> None:
        """Sets what takes the running server to another address; it raises OSError where it stays where it was."""
        self._listen = listen

    def turn(self, on: bool) -> None:
        """Lets the other devices in, or shuts them out; at once and from now on.

        Raises:
            OSError: the page cannot listen there; it stays as it was.
            StorageError: the choice cannot be kept; the page stays as it was.
        """
        with self._lock:
            before = self._access_code.secrets.open_to_network
            self._access_code.set_open_to_network(on)
            try:
                self._listen(self.host)
            except Exception:
                self._access_code.set_open_to_network(before)
                raise
