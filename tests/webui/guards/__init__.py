"""Every guard that ``SECURITY.md`` lists, with the tests that fail without it."""

from tests.webui.guards import connections, files, requests
from tests.webui.guards.guard import Guard

__all__ = ["GUARDS", "Guard"]

GUARDS: tuple[Guard, ...] = (*requests.GUARDS, *files.GUARDS, *connections.GUARDS)
