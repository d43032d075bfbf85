"""Guards of the server: slow clients, large bodies, many connections and streams, the photo queue."""

from __future__ import annotations

from tests.webui.guards.guard import Guard

ATTACKS = "tests/webui/test_attacks.py"
QUEUE = "tests/webui/pages/photos/test_queue.py"
SLOW_CLIENTS = "tests/webui/server/test_slow_clients.py"

GUARDS = (
    Guard(
        name="queue by number",
        file="webui/reading/photo_queue.py",
        code="self._reserved >= MOST_WAITING or",
        replacement="",
        tests=QUEUE,
        select="full_queue",
    ),
    Guard(
        name="queue by bytes",
        file="webui/reading/photo_queue.py",
        code="or self._bytes + size > MOST_BYTES",
        replacement="",
        tests=QUEUE,
        select="full_queue",
    ),
    Guard(
        name="header in time",
        file="webui/server/slow_clients.py",
        code="time.monotonic() - self._begun > HEAD",
        replacement="False and HEAD",
        tests=SLOW_CLIENTS,
        select="never_end",
    ),
    Guard(
        name="slow read",
        file="webui/server/slow_clients.py",
        code="time.time() - self.last_activity > STUCK_SECONDS",
        replacement="False",
        tests=SLOW_CLIENTS,
        select="nobody_takes",
    ),
    Guard(
        name="body of 2 GB",
        file="webui/server/waitress_server.py",
        code="        max_request_body_size=_MAX_BODY,\n",
        replacement="        max_request_body_size=2**33,\n",
        tests=SLOW_CLIENTS,
        select="2_gb",
        second=("webui/server/slow_clients.py", "self._all_incoming() > MAX_INCOMING_BYTES", "False"),
    ),
    Guard(
        name="all bodies",
        file="webui/server/slow_clients.py",
        code="self._all_incoming() > MAX_INCOMING_BYTES",
        replacement="False",
        tests=SLOW_CLIENTS,
        select="fill_the_disk",
    ),
    Guard(
        name="connections",
        file="webui/server/slow_clients.py",
        code="same > MAX_CLIENT_CONNECTIONS and",
        replacement="False and",
        tests=SLOW_CLIENTS,
        select="connections_of_one",
    ),
    Guard(
        name="streams",
        file="webui/access/quotas.py",
        code="self._held[client] >= self._per_client",
        replacement="False",
        tests=ATTACKS,
        select="streams_of_one",
    ),
    Guard(
        name="live pictures",
        file="webui/pages/photos/camera.py",
        code="open_stream(client_id())",
        replacement="open_stream()",
        tests=ATTACKS,
        select="streams_of_one",
    ),
    Guard(
        name="all streams",
        file="webui/access/quotas.py",
        code="self._held.total() >= self._total",
        replacement="False",
        tests="tests/webui/pages/devices/test_follow.py",
        select="bounded",
    ),
)
