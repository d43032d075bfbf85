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
        code="time.monotonic() - self._begun > patience",
        replacement="False and patience",
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
        code='        "max_request_body_size": _MAX_BODY,\n',
        replacement='        "max_request_body_size": 2**33,\n',
        tests=SLOW_CLIENTS,
        select="2_gb",
        second=("webui/server/fair_share.py", "held.total() <= MAX_INCOMING_BYTES", "True"),
    ),
    Guard(
        name="all bodies",
        file="webui/server/fair_share.py",
        code="held.total() <= MAX_INCOMING_BYTES",
        replacement="True",
        tests=SLOW_CLIENTS,
        select="holds_most",
    ),
    Guard(
        name="bodies of the greediest",
        file="webui/server/fair_share.py",
        code="key=lambda one: (held[one.caller.client], one.held)",
        replacement="key=lambda one: -held[one.caller.client]",
        tests=SLOW_CLIENTS,
        select="holds_most",
    ),
    Guard(
        name="body of a stranger",
        file="webui/server/slow_clients.py",
        code="if self.content_length > self._most and",
        replacement="if False and",
        tests=SLOW_CLIENTS,
        select="no_more_than_a_form",
    ),
    Guard(
        name="chunks of a stranger",
        file="webui/server/slow_clients.py",
        code="self.body_bytes_received > self._most:",
        replacement="False:",
        tests=SLOW_CLIENTS,
        select="in_chunks",
    ),
    Guard(
        name="places of this machine",
        file="webui/server/fair_share.py",
        code="len(network) <= MAX_NETWORK_CONNECTIONS",
        replacement="True",
        tests=SLOW_CLIENTS,
        select="hold_all_their_places",
    ),
    Guard(
        name="threads of a client",
        file="webui/server/fair_share.py",
        code="self._at_work[client] >= MAX_CLIENT_THREADS",
        replacement="False",
        tests=SLOW_CLIENTS,
        select="all_threads",
    ),
    Guard(
        name="connections",
        file="webui/server/fair_share.py",
        code="shares[newest.caller.client] > MAX_CLIENT_CONNECTIONS",
        replacement="False",
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
