"""``handfoot serve``: serves the web interface."""

from __future__ import annotations

import argparse
import logging
import os
import re
import socket
import sys
import threading
import webbrowser
from functools import partial
from importlib import metadata
from typing import Any

from flask import Flask

from scorer.rules import load_rules
from vision.cameras import FORMS
from vision.cameras.address import without_addresses
from webui.access.certificate import Certificate
from webui.access.network import ALL_INTERFACES, own_host_names
from webui.app import create_app
from webui.commands.options import (
    HTTPS_PORT,
    PORT,
    add_port_options,
    add_storage_options,
    encryption_misuse,
    number_from,
)
from webui.commands.output import print_lines, print_message
from webui.commands.own_commands import own_commands
from webui.commands.screen import show_page, wait_for_page
from webui.commands.way_in import address_at, print_certificate, print_way_in, print_way_in_briefly
from webui.context.services import Services, services_of
from webui.context.warmup import start_warm_up
from webui.reading.engine_choice import learnt_state, load_chosen_reader
from webui.reading.reader_service import ReaderService
from webui.server.listen_address import listen_at
from webui.server.request_log import TerminalFormatter, close_log, open_log
from webui.server.shutdown import RequestCounter, run_until_stopped
from webui.server.systemd import notify_systemd, start_watchdog
from webui.server.waitress_server import listen_encrypted, make_server
from webui.settings import DEFAULT_RULES, Settings, default_data_dir, default_database, use_own_files
from webui.storage.files.folder_lock import FolderInUse, locked_folder
from webui.storage.files.photo_limit import DEFAULT_BYTES, DEFAULT_DAYS, PhotoLimit

_THIS_MACHINE = "127.0.0.1"
_MOST_DAYS, _MOST_GIGABYTES = 36_500, 1_000_000
_log = logging.getLogger(__name__)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("serve", help="the page: photograph a round, correct it, agree, see the points")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--host", metavar="H", help=f"address to answer at (default: {_THIS_MACHINE})")
    where.add_argument(
        "--lan", action="store_true", help="let phones of this network in, by a code that the page shows"
    )
    parser.add_argument(
        "--name", type=_name, action="append", default=[], metavar="N", help="a name that browsers call this by"
    )
    parser.add_argument(
        "--prefix", default="", type=_prefix, metavar="PATH", help="the path that a proxy serves this under, as /cards"
    )
    add_port_options(parser)
    parser.add_argument(
        "--camera",
        metavar="C",
        help=f"{FORMS} (default: the first found)",
    )
    parser.add_argument(
        "--rules", default=DEFAULT_RULES, metavar="ID", help="rules of a new game (default: %(default)s)"
    )
    add_storage_options(parser)
    parser.add_argument(
        "--table",
        metavar="NAME",
        default=os.environ.get("HANDFOOT_TABLE") or None,
        help="name of this table among others that share a database",
    )
    usual = "at most %(default).0f by default"
    parser.add_argument(
        "--photo-days",
        type=number_from(float, 0, _MOST_DAYS, "days"),
        metavar="N",
        default=DEFAULT_DAYS,
        help=f"days photos stay, {usual}",
    )
    space = f"gigabytes photos may take, {DEFAULT_BYTES // 1024**3} by default; the oldest go first, points never"
    parser.add_argument("--photo-space", type=_gigabytes, metavar="GB", default=DEFAULT_BYTES, help=space)
    parser.add_argument("--open", action="store_true", help="also open it in the browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is stopped; started without a command, it only shows the page where that is served already.

    Raises:
        RulesError: an unknown rule set.
        StorageError: the data folder cannot be used.
    """
    if misuse := encryption_misuse(arguments):
        print_message(misuse)
        return 2
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(TerminalFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[terminal])
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # its warnings of a short queue help nobody
    os.umask(0o077)  # files are readable by their owner only
    host: str = ALL_INTERFACES[0] if arguments.lan else arguments.host or _THIS_MACHINE
    data_dir = arguments.data or default_data_dir()
    use_own_files(data_dir)
    load_rules(arguments.rules)
    is_encrypted = arguments.https or arguments.cert is not None
    settings = Settings(
        data_dir=data_dir,
        rules=arguments.rules,
        camera=arguments.camera,
        hosts=(host, *own_host_names(), *arguments.name),
        host=host,
        has_switch=not (arguments.lan or arguments.host or arguments.name or arguments.prefix),
        names=tuple(name.lower() for name in arguments.name),
        prefix=arguments.prefix,
        database=arguments.database or default_database(),
        table=arguments.table,
        photo_limit=PhotoLimit(arguments.photo_days, arguments.photo_space),
        https_port=(arguments.port or HTTPS_PORT) if is_encrypted else None,
        commands=own_commands(arguments),
    )
    port = arguments.http_port if is_encrypted else arguments.port or (_free_port() if arguments.alone else PORT)
    instead = "use that page, or stop it first, or name another folder with --data"
    try:
        with locked_folder(data_dir, address_at(host, port, settings.prefix), instead):
            return _serve_with_log(arguments, settings, port)
    except FolderInUse as held:
        if held.page is None or not arguments.alone:
            raise
        print_lines([f"Hand & Foot is open at {held.page}"])
        wait_for_page(held.page)
        show_page(held.page)
        return 0


def _serve_with_log(arguments: argparse.Namespace, settings: Settings, port: int) -> int:
    log_handler = open_log(settings.data_dir)
    try:
        return _serve(arguments, settings, port)
    except Exception as error:
        # whoever called says it on the terminal
        _log.info("could not be served: %s", without_addresses(str(error), sys.argv[1:]))
        raise
    finally:
        _log.info("stopped")
        close_log(log_handler)


def _serve(arguments: argparse.Namespace, settings: Settings, port: int) -> int:
    """Serves until it is stopped."""
    stop, data_dir = arguments.stop, settings.data_dir
    reader = ReaderService(lambda: load_chosen_reader(data_dir)[1], lambda: learnt_state(data_dir))
    if stop.requested:
        return 0
    certificate = _certificate(arguments, settings)
    app = create_app(settings, reader, certificate)
    services, requests = services_of(app), RequestCounter(app)
    server = None if stop.requested else _answering(app, settings, port, certificate)
    if server is None:
        services.store.close()
        return 0 if stop.requested else 1
    if not stop.requested:
        reader.start()
    services.photo_queue.resume()
    services.learning.go_on()
    services.watch.resume()
    ended = threading.Event()
    start_warm_up(app, ended)
    services.network.listens_by(partial(listen_at, server))
    address = _tell_open(arguments, settings, port, services, certificate)
    _log.info("started, version %s, %s", metadata.version("handfoot"), services.store.kind())
    services.backup_thread.start()
    watchdog = start_watchdog(f"{address}static/icon.svg")
    refreshing = certificate.keep_fresh() if certificate else threading.Event()
    try:
        run_until_stopped(server, requests, stop)
    finally:
        notify_systemd("STOPPING=1")
        ended.set()
        watchdog.set()
        refreshing.set()
        services.watch.close()
        services.photo_queue.close()
        services.camera.close()
        services.backup_thread.close()
        services.store.close()
        reader.close()
    return 0


def _answering(app: Flask, settings: Settings, port: int, certificate: Certificate | None) -> Any | None:
    """The server at its addresses; None, and the reason is printed, where it cannot answer there."""
    host = services_of(app).network.host
    if settings.prefix and settings.prefix.split("/")[1] in {
        rule.rule.split("/")[1] for rule in app.url_map.iter_rules()
    }:
        print_message(f"{settings.prefix} begins like an address of the page itself; choose another --prefix")
        return None
    asked, option = port, "--http-port" if certificate else "--port"
    try:
        server = make_server(app, host, port)
        if certificate and settings.https_port:
            asked, option = settings.https_port, "--port"
            listen_encrypted(server, app, host, settings.https_port, certificate)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        print_message(f"cannot answer at {host}, port {asked} ({reason}); choose another with --host or {option}")
        return None
    return server


def _tell_open(
    arguments: argparse.Namespace, settings: Settings, port: int, services: Services, certificate: Certificate | None
) -> str:
    """Says where the page is, and opens it if that is asked for; returns its address."""
    host = services.network.host
    address = address_at(host, port, settings.prefix)
    print_lines([f"Hand & Foot is open at {address}"])
    (print_way_in_briefly if arguments.alone else print_way_in)(settings, host, port, services.access_code)
    print_certificate(certificate)
    print_message(f"games are kept in {settings.data_dir}; stop with Ctrl+C")
    if arguments.open:
        webbrowser.open(address)
    elif arguments.alone:
        show_page(address)
    return address


def _certificate(arguments: argparse.Namespace, settings: Settings) -> Certificate | None:
    if settings.https_port is None:
        return None
    given = (arguments.cert, arguments.key) if arguments.cert else None
    return Certificate(settings.data_dir, (settings.host, *settings.names), given)


def _name(text: str) -> str:
    if not re.fullmatch(r"[\w.:-]+", text):
        raise argparse.ArgumentTypeError(f"expected a name without a path, as cards.example.org, got {text}")
    return text


def _prefix(text: str) -> str:
    prefix = f"/{text.strip('/')}" if text.strip("/") else ""
    if not re.fullmatch(r"(/[\w.~-]+)*", prefix, re.ASCII) or {".", ".."} & set(prefix.split("/")):
        raise argparse.ArgumentTypeError(f"expected a path of letters and digits, as /cards, got {text}")
    return prefix


def _gigabytes(text: str) -> int:
    return round(number_from(float, 0, _MOST_GIGABYTES, "gigabytes")(text) * 1024**3)


def _free_port() -> int:
    """The usual port, or the next one where another program has it."""
    ports: list[int] = [PORT, *range(HTTPS_PORT + 1, HTTPS_PORT + 20)]
    for port in ports:
        with socket.socket() as probe:
            if os.name == "posix":  # where a port of which connections linger is free; elsewhere it would take any
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((ALL_INTERFACES[0], port))
            except OSError:
                continue
            return port
    return PORT
