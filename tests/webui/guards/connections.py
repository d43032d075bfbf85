"""Guards of the server: slow clients, large bodies, many connections and streams, the photo queue."""

from __future__ import annotations

from tests.webui.guards.guard import Guard

ATTACKS = "tests/webui/test_attacks.py"
FAIR_SHARE = "webui/server/fair_share.py"
PHOTO_QUEUE = "webui/reading/photo_queue.py"
QUEUE = "tests/webui/pages/photos/test_queue.py"
QUOTAS = "webui/access/quotas.py"
SLOW_CLIENTS = "tests/webui/server/test_slow_clients.py"
SLOW_CLIENTS_PY = "webui/server/slow_clients.py"

GUARDS = (
    Guard("queue by number", PHOTO_QUEUE, "self._reserved >= MOST_WAITING or", "", QUEUE, "full_queue"),
    Guard("queue by bytes", PHOTO_QUEUE, "or self._bytes + size > MOST_BYTES", "", QUEUE, "full_queue"),
    Guard(
        "header in time",
        SLOW_CLIENTS_PY,
        "time.monotonic() - self._begun > patience",
        "False and patience",
        SLOW_CLIENTS,
        "never_end",
    ),
    Guard(
        "slow read",
        SLOW_CLIENTS_PY,
        "time.time() - self.last_activity > STUCK_SECONDS",
        "False",
        SLOW_CLIENTS,
        "nobody_takes",
    ),
    Guard(
        "body of 2 GB",
        "webui/server/waitress_server.py",
        '        "max_request_body_size": _MAX_BODY,\n',
        '        "max_request_body_size": 2**33,\n',
        SLOW_CLIENTS,
        "2_gb",
        (FAIR_SHARE, "held.total() <= MAX_INCOMING_BYTES", "True"),
    ),
    Guard("all bodies", FAIR_SHARE, "held.total() <= MAX_INCOMING_BYTES", "True", SLOW_CLIENTS, "holds_most"),
    Guard(
        "bodies of the greediest",
        FAIR_SHARE,
        "key=lambda one: (held[one.caller.client], one.held)",
        "key=lambda one: -held[one.caller.client]",
        SLOW_CLIENTS,
        "holds_most",
    ),
    Guard(
        "body of a stranger",
        SLOW_CLIENTS_PY,
        "if self.content_length > self._most and",
        "if False and",
        SLOW_CLIENTS,
        "no_more_than_a_form",
    ),
    Guard(
        "chunks of a stranger",
        SLOW_CLIENTS_PY,
        "self.body_bytes_received > self._most:",
        "False:",
        SLOW_CLIENTS,
        "in_chunks",
    ),
    Guard(
        "places of this machine",
        FAIR_SHARE,
        "len(network) <= MAX_NETWORK_CONNECTIONS",
        "True",
        SLOW_CLIENTS,
        "hold_all_their_places",
    ),
    Guard(
        "threads of a client",
        FAIR_SHARE,
        "self._at_work[client] >= MAX_CLIENT_THREADS",
        "False",
        SLOW_CLIENTS,
        "all_threads",
    ),
    Guard(
        "connections",
        FAIR_SHARE,
        "shares[newest.caller.client] > MAX_CLIENT_CONNECTIONS",
        "False",
        SLOW_CLIENTS,
        "connections_of_one",
    ),
    Guard("streams", QUOTAS, "self._held[client] >= self._per_client", "False", ATTACKS, "streams_of_one"),
    Guard(
        "live pictures",
        "webui/pages/photos/camera.py",
        "open_stream(client_id())",
        "open_stream()",
        ATTACKS,
        "streams_of_one",
    ),
    Guard(
        "all streams",
        QUOTAS,
        "self._held.total() >= self._total",
        "False",
        "tests/webui/pages/devices/test_follow.py",
        "bounded",
    ),
)
