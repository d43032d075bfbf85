"""``handfoot serve``: the page."""

from __future__ import annotations

import argparse
import logging
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path

from scorer.rules import load_rules, use_folder
from webui.app import create_app
from webui.commands.output import say
from webui.eyes import Eyes
from webui.house import house
from webui.network import EVERYWHERE, network_address
from webui.server import make_server
from webui.settings import DEFAULT_RULES, Settings, default_data_dir, rules_folder
from webui.warm import warm
from webui.watchdog import keep_watchdog


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("serve", help="the page: photograph a round, mend, confirm, see the points")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="address to answer at (default: %(default)s)")
    parser.add_argument("--port", default=8765, type=_port, metavar="P", help="port (default: %(default)s)")
    parser.add_argument(
        "--camera",
        metavar="C",
        help="a camera's number, 'pi', a stream's address, a folder of pictures or a video (default: the first found)",
    )
    parser.add_argument(
        "--rules", default=DEFAULT_RULES, metavar="ID", help="rules of a new game (default: %(default)s)"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="where games are kept (default: the user's data folder)"
    )
    parser.add_argument("--open", action="store_true", help="also open it in the browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is stopped.

    Raises:
        RulesError: an unknown rule set.
        StorageError: the data folder cannot be used.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="handfoot: %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news to a person
    data_dir = arguments.data or default_data_dir()
    use_folder(rules_folder(data_dir))
    load_rules(arguments.rules)
    settings = Settings(
        data_dir=data_dir,
        rules=arguments.rules,
        camera=arguments.camera,
        hosts=(arguments.host, socket.gethostname()),
        host=arguments.host,
    )
    eyes = Eyes()
    app = create_app(settings, eyes)
    try:
        server = make_server(app, arguments.host, arguments.port)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        say(
            f"cannot answer at {arguments.host}, port {arguments.port} ({reason}); choose another with --host or --port"
        )
        return 1
    eyes.start()
    threading.Thread(target=warm, args=(app,), name="warm", daemon=True).start()
    address = _address(arguments.host, arguments.port)
    print(f"Hand & Foot is open at {address}", flush=True)
    if arguments.host in EVERYWHERE and (own := network_address()):
        print(f"On a phone in the same network: {_address(own, arguments.port)}", flush=True)
    say(f"games are kept in {settings.data_dir}; stop with Ctrl+C")
    if arguments.open:
        webbrowser.open(address)
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.default_int_handler)
    watchdog = keep_watchdog(f"{_address(arguments.host, arguments.port)}static/icon.svg")
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        watchdog.set()
        server.close()
        with app.app_context():
            house().camera.close()
    return 0


def _port(text: str) -> int:
    port = int(text)
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 1 to 65535, got {text}")
    return port


def _address(host: str, port: int) -> str:
    shown = "localhost" if host in ("127.0.0.1", "::1", *EVERYWHERE) else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"
