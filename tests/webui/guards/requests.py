"""Guards of requests: forms, other sites, strangers, headers, escaping."""

from __future__ import annotations

from tests.webui.guards.guard import Guard

ACCESS_CODE = "tests/webui/access/test_access_code.py"
ACCESS_CODE_PY = "webui/access/access_code.py"
APP = "webui/app.py"
ATTACKS = "tests/webui/test_attacks.py"
HOSTILE = "tests/webui/pages/events/test_hostile_table.py"
LOGIN = "webui/pages/devices/login.py"
NETWORK = "webui/access/network.py"
REQUEST_GUARD = "tests/webui/context/test_request_guard.py"
REQUEST_GUARD_PY = "webui/context/guard/request_guard.py"
RIGHTS = "tests/webui/access/test_rights.py"
TABLES = "tests/webui/pages/events/test_tables.py"
TABLES_PY = "webui/pages/events/tables.py"
TABLE_DEVICES = "webui/context/guard/table_devices.py"
TEST_START = "tests/webui/commands/test_start.py"

GUARDS = (
    Guard(
        "sign that the table is watched",
        "webui/templates/base.html",
        '{% include "watch/sign.html" %}\n',
        "",
        "tests/webui/watching/test_table_watch.py",
        "sign_is_on",
    ),
    Guard(
        "games of other tables",
        TABLE_DEVICES,
        "store.events.game_at(*table) == game_id",
        "True",
        TABLES,
        "nothing_else",
    ),
    Guard(
        "scores of an evening that is over",
        TABLE_DEVICES,
        " and not store.events.is_over(table[0])\n",
        "\n",
        HOSTILE,
        "over_stay",
    ),
    Guard(
        "cards of an evening that is over",
        TABLES_PY,
        "if store.events.is_over(table[0])",
        "if False",
        HOSTILE,
        "over_stay",
    ),
    Guard(
        "agreement of both sides by one press",
        "webui/pages/rounds/round.py",
        'if "confirm" in request.form and view.game.event',
        "if False",
        HOSTILE,
        "one_press",
    ),
    Guard(
        "camera over other tables",
        "webui/pages/games/first_meld.py",
        'if "shoot" in request.form and not has_access()',
        "if False",
        HOSTILE,
        "camera",
    ),
    Guard(
        "who did it at a table",
        "webui/context/visitor.py",
        'f"{name} ({at})" if name else at',
        "name or at",
        HOSTILE,
        "history",
    ),
    Guard(
        "pages of other tables",
        TABLE_DEVICES,
        '(asked.get("event_id"), asked.get("table")) == table',
        "True",
        TABLES,
        "nothing_else",
    ),
    Guard(
        "pages that are no table's",
        TABLE_DEVICES,
        "    elif endpoint not in _GAME_PAGES:\n        return False\n",
        "",
        TABLES,
        "nothing_else",
    ),
    Guard(
        "devices of an old card",
        TABLES_PY,
        "    store.devices.remove_from_table(event_id, table)\n",
        "",
        TABLES,
        "new_card",
    ),
    Guard("token of a form", REQUEST_GUARD_PY, "csrf.protect()", "pass", REQUEST_GUARD, "token"),
    Guard("origin", REQUEST_GUARD_PY, "not is_own_origin(origin)", "False", REQUEST_GUARD, "another_site"),
    Guard("rebinding host", REQUEST_GUARD_PY, "or host in known_hosts", "or True", REQUEST_GUARD, "own_names"),
    Guard("fetch metadata", REQUEST_GUARD_PY, "        _refuse_cross_site()\n", "", ATTACKS, "another_site"),
    Guard("frame", REQUEST_GUARD_PY, '"X-Frame-Options": "DENY",', "", ATTACKS, "framed"),
    Guard("frame policy", REQUEST_GUARD_PY, "frame-ancestors 'none'; ", "", ATTACKS, "framed"),
    Guard("login", REQUEST_GUARD_PY, "if login := _require_login()", "if login := None", ACCESS_CODE, "stranger"),
    Guard(
        "health in full",
        "webui/pages/admin/health.py",
        "found.as_json() if is_local() else",
        "found.as_json() if True else",
        "tests/webui/pages/admin/test_health.py",
        "monitor",
    ),
    Guard("viewers read only", REQUEST_GUARD_PY, "reads and right is Right.VIEWER and", "", ACCESS_CODE, "look_on"),
    Guard(
        "proxy",
        NETWORK,
        "return any(header in request.headers",
        "return all(header in request.headers",
        ACCESS_CODE,
        "proxy",
    ),
    Guard(
        "guesses",
        ACCESS_CODE_PY,
        "not self._limiter.hit(GUESSES, client_network(address)) or",
        "",
        ACCESS_CODE,
        "ten_times",
    ),
    Guard("all guesses", ACCESS_CODE_PY, "or not self._limiter.hit(ALL_GUESSES)", "", ACCESS_CODE, "no_better"),
    Guard("IPv6 guesses", ACCESS_CODE_PY, "client_network(address)", "address", ACCESS_CODE, "ipv6"),
    Guard(
        "new code",
        LOGIN,
        "    services().access_code.change(keeper_key=any(one.keeper for one in knew))\n",
        "",
        ACCESS_CODE,
        "removed_device",
    ),
    Guard(
        "rights",
        "webui/context/guard/rights.py",
        "    if not is_keeper():\n        abort(",
        "    if False:\n        abort(",
        RIGHTS,
        "does_not_look_after",
    ),
    Guard("passing rights on", REQUEST_GUARD_PY, "right is Right.LOCAL and", "False and", RIGHTS, "itself_alone"),
    Guard(
        "what phones hold open when they are shut out",
        "webui/server/listen_address.py",
        "            if is_loopback(host):",
        "            if False:",
        TEST_START,
        "out_at_once",
    ),
    Guard(
        "the switch where the start said where to listen",
        "webui/access/network_switch.py",
        "return self.exists and",
        "return",
        TEST_START,
        "has_no_switch",
    ),
    Guard(
        "what a device let in",
        LOGIN,
        "_others_let_in(device_id) if str(one.id) not in kept]",
        "_others_let_in(device_id) if False]",
        RIGHTS,
        "kept_by_name",
    ),
    Guard(
        "coming in while somebody is sent out",
        LOGIN,
        "key_id not in (secrets.key_id, secrets.keeper_key_id)",
        "False",
        RIGHTS,
        "while_somebody",
    ),
    Guard(
        "a right that was taken",
        LOGIN,
        "        services().access_code.change_keeper_key()\n",
        "        pass\n",
        RIGHTS,
        "right_that_was_taken",
    ),
    Guard(
        "open streams",
        "webui/context/responses/streams.py",
        "if not self._has_access()",
        "if False",
        RIGHTS,
        "what_is_open and camera",
    ),
    Guard(
        "frames of other sites",
        REQUEST_GUARD_PY,
        ' and headers.get("Sec-Fetch-Dest", "document") == "document"',
        "",
        "tests/webui/pages/admin/test_backups.py",
        "into_a_frame",
    ),
    Guard("open redirect", LOGIN, "return to if ours", "return to if True", ACCESS_CODE, "ours_alone"),
    Guard(
        "escaping",
        APP,
        "    app.jinja_env.trim_blocks",
        "    app.jinja_env.autoescape = False\n    app.jinja_env.trim_blocks",
        ATTACKS,
        "script",
    ),
    Guard("formulas", "webui/games/score_pad.py", "if text.startswith(_FORMULAS)", "if False", ATTACKS, "formula"),
    Guard("form", REQUEST_GUARD_PY, "request.max_content_length = _MAX_FORM_BYTES", "pass", ATTACKS, "millions"),
    Guard(
        "form before login",
        REQUEST_GUARD_PY,
        "request.max_content_length = _MAX_PUBLIC_BYTES",
        "pass",
        ATTACKS,
        "millions",
    ),
    Guard(
        "invisible characters",
        "webui/wording.py",
        '_INVISIBLE.sub("", _BLANKS.sub(" ", name[:_MAX_TYPED]))',
        '_BLANKS.sub(" ", name[:_MAX_TYPED])',
        ATTACKS,
        "invisible",
    ),
    Guard("length of names", "webui/storage/changes.py", "Field(max_length=60)]", "Field()]", ATTACKS, "endless"),
    Guard("bad addresses", NETWORK, "except ValueError:  # such", "except KeyError:  # such", ATTACKS, "in_a_header"),
    Guard("size of numbers in addresses", APP, "max=LARGEST_ID", "max=None", "tests/fuzzing"),
)
