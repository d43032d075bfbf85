"""``handfoot serve``: serves the web interface."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
import threading
import webbrowser
from importlib import metadata

from scorer.rules import load_rules
from vision.cameras import FORMS
from vision.cameras.address import without_addresses
from webui.access.access_code import AccessCode
from webui.access.certificate import Certificate
from webui.access.network import ALL_INTERFACES, is_loopback, own_host_names
from webui.access.own_addresses import likely_addresses
from webui.app import create_app
from webui.commands.options import HTTPS_PORT, PORT, add_port_options, add_storage_options, encryption_misuse
from webui.commands.output import print_lines, print_message
from webui.commands.own_commands import own_commands
from webui.context.services import services_of
from webui.context.warmup import start_warm_up
from webui.reading.engine_choice import learnt_state, load_chosen_reader
from webui.reading.reader_service import ReaderService
from webui.server.request_log import TerminalFormatter, close_log, open_log
from webui.server.shutdown import RequestCounter, run_until_stopped
from webui.server.systemd import notify_systemd, start_watchdog
from webui.server.waitress_server import listen_encrypted, make_server
from webui.settings import DEFAULT_RULES, Settings, default_data_dir, default_database, use_own_files
from webui.storage import clock
from webui.storage.files.folder_lock import locked_folder
from webui.storage.files.photo_limit import DEFAULT_BYTES, DEFAULT_DAYS, PhotoLimit

_log = logging.getLogger(__name__)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("serve", help="the page: photograph a round, correct it, agree, see the points")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--host", default="127.0.0.1", metavar="H", help="address to answer at (default: %(default)s)")
    where.add_argument(
        "--lan", action="store_true", help="let phones of this network in, by a code that the page shows"
    )
    parser.add_argument("--name", action="append", default=[], metavar="N", help="a name that browsers call this by")
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
        "--photo-days", type=float, metavar="N", default=DEFAULT_DAYS, help=f"days photos stay, {usual}"
    )
    space = f"gigabytes photos may take, {DEFAULT_BYTES // 1024**3} by default; the oldest go first, points never"
    parser.add_argument("--photo-space", type=_gigabytes, metavar="GB", default=DEFAULT_BYTES, help=space)
    parser.add_argument("--open", action="store_true", help="also open it in the browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is stopped.

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
    host: str = ALL_INTERFACES[0] if arguments.lan else arguments.host
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
        names=tuple(name.lower() for name in arguments.name),
        prefix=arguments.prefix,
        database=arguments.database or default_database(),
        table=arguments.table,
        photo_limit=PhotoLimit(arguments.photo_days, arguments.photo_space),
        https_port=(arguments.port or HTTPS_PORT) if is_encrypted else None,
        commands=own_commands(arguments),
    )
    port = arguments.http_port if is_encrypted else arguments.port or PORT
    instead = "use that page, or stop it first, or name another folder with --data"
    with locked_folder(data_dir, _address(host, port, settings.prefix), instead):
        log_handler = open_log(data_dir)
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
    host, stop = settings.host, arguments.stop
    data_dir = settings.data_dir
    reader = ReaderService(lambda: load_chosen_reader(data_dir)[1], lambda: learnt_state(data_dir))
    if stop.requested:
        return 0
    certificate = _certificate(arguments, settings)
    app = create_app(settings, reader, certificate)
    services, requests = services_of(app), RequestCounter(app)
    if stop.requested:
        services.store.close()
        return 0
    if settings.prefix and settings.prefix.split("/")[1] in {
        rule.rule.split("/")[1] for rule in app.url_map.iter_rules()
    }:
        services.store.close()
        print_message(f"{settings.prefix} begins like an address of the page itself; choose another --prefix")
        return 1
    asked, option = port, "--http-port" if certificate else "--port"
    try:
        server = make_server(app, host, port)
        if certificate and settings.https_port:
            asked, option = settings.https_port, "--port"
            listen_encrypted(server, app, host, settings.https_port, certificate)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        print_message(f"cannot answer at {host}, port {asked} ({reason}); choose another with --host or {option}")
        services.store.close()
        return 1
    if not stop.requested:
        reader.start()
    services.photo_queue.resume()
    services.learning.go_on()
    services.watch.resume()
    ended = threading.Event()
    start_warm_up(app, ended)
    address = _address(host, port, settings.prefix)
    print_lines([f"Hand & Foot is open at {address}"])
    _print_way_in(settings, port, services.access_code)
    _print_certificate(certificate)
    print_message(f"games are kept in {settings.data_dir}; stop with Ctrl+C")
    if arguments.open:
        webbrowser.open(address)
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


def _print_way_in(settings: Settings, port: int, access_code: AccessCode) -> None:
    """Prints how other devices come in, if they can: straight, or through a proxy that asks this machine itself."""
    if not is_loopback(settings.host):
        scheme, port = ("https", settings.https_port) if settings.https_port else ("http", port)
        hosts = likely_addresses(settings.host)
        if settings.https_port and settings.names:  # the name that the certificate was given for
            hosts = settings.names[:1]
        ways = [_address(host, port, settings.prefix, scheme) for host in hosts]
        where, at = "On a phone in the same network", " or ".join(ways)
        link = ways[0] if ways else _address(settings.host, port, settings.prefix, scheme)
    elif settings.names or settings.prefix:
        at = f"{settings.names[0] if settings.names else 'ADDRESS-OF-THE-PROXY'}{settings.prefix}/"
        where, link = "On a phone, through the proxy", at
    else:
        return
    code = f"Code for other devices: {access_code.code}"
    link = f"{link}enter/{access_code.secrets.keeper_key}"
    look_after = f"To look after backups and who is in from another device, open there: {link}"
    print_lines([f"{where}: {at}  {code}" if at else code, look_after])


def _certificate(arguments: argparse.Namespace, settings: Settings) -> Certificate | None:
    if settings.https_port is None:
        return None
    given = (arguments.cert, arguments.key) if arguments.cert else None
    return Certificate(settings.data_dir, (settings.host, *settings.names), given)


def _print_certificate(certificate: Certificate | None) -> None:
    if certificate is None:
        return
    renew = "put a new one and its key in the place of these files, and they are read within a minute"
    if certificate.ends <= clock.now():
        print_message(f"the certificate ended on {certificate.ends.date()}, so browsers will warn; {renew}")
    elif certificate.begins > clock.now():
        look = f"set this computer's clock if it is wrong; else {renew}"
        print_message(f"the certificate begins on {certificate.begins.date()}, so browsers will warn; {look}")
    if certificate.is_own:
        warning = "The phone's browser will warn once, since this computer made its certificate itself"
        way_on = "choose Advanced or Details there, then go on."
        print_lines([f"Fingerprint of the certificate (SHA-256): {certificate.fingerprint}", f"{warning}: {way_on}"])


def _prefix(text: str) -> str:
    prefix = f"/{text.strip('/')}" if text.strip("/") else ""
    if not re.fullmatch(r"(/[\w.~-]+)*", prefix, re.ASCII) or {".", ".."} & set(prefix.split("/")):
        raise argparse.ArgumentTypeError(f"expected a path of letters and digits, as /cards, got {text}")
    return prefix


def _gigabytes(text: str) -> int:
    return round(float(text) * 1024**3)


def _address(host: str, port: int, prefix: str, scheme: str = "http") -> str:
    shown = "localhost" if host in ("127.0.0.1", "::1", *ALL_INTERFACES) else f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}:{port}{prefix}/"
