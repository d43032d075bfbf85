"""What the terminal says of how other devices come in."""

from __future__ import annotations

from webui.access.access_code import AccessCode
from webui.access.certificate import Certificate
from webui.access.network import ALL_INTERFACES, is_loopback
from webui.access.own_addresses import likely_addresses
from webui.commands.output import print_lines, print_message
from webui.commands.screen import has_screen
from webui.settings import Settings
from webui.storage import clock


def address_at(host: str, port: int, prefix: str, scheme: str = "http") -> str:
    """The address of the page at a host, as it is typed; for this machine's own browser where it listens at all."""
    shown = "localhost" if host in ("127.0.0.1", "::1", *ALL_INTERFACES) else f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}:{port}{prefix}/"


def print_way_in(settings: Settings, host: str, port: int, access_code: AccessCode) -> None:
    """Prints how other devices come in, if they can: straight, or through a proxy that asks this machine itself."""
    if not is_loopback(host):
        at = " or ".join(ways := _ways(settings, host, port))
        where = "On a phone in the same network"
        scheme, own_port = ("https", settings.https_port) if settings.https_port else ("http", port)
        link = ways[0] if ways else address_at(host, own_port, settings.prefix, scheme)
    elif settings.names or settings.prefix:
        at = f"{settings.names[0] if settings.names else 'ADDRESS-OF-THE-PROXY'}{settings.prefix}/"
        where, link = "On a phone, through the proxy", at
    else:
        return
    code = f"Code for other devices: {access_code.code}"
    link = f"{link}enter/{access_code.secrets.keeper_key}"
    look_after = f"To look after backups and who is in from another device, open there: {link}"
    print_lines([f"{where}: {at}  {code}" if at else code, look_after])


def print_way_in_briefly(settings: Settings, host: str, port: int, access_code: AccessCode) -> None:
    """Prints in one line how phones get in, or what lets them in, for somebody who knows of no option."""
    if not is_loopback(host):
        at = " or ".join(_ways(settings, host, port)) or "that address"
        print_lines([f"Phones get in at {at} by the code {access_code.code}"])
    elif has_screen():
        print_lines(["To let phones in, press Let phones in on that page"])
    else:
        print_lines(["To let phones in to a machine without a screen, start it by: handfoot serve --lan"])


def _ways(settings: Settings, host: str, port: int) -> list[str]:
    scheme, port = ("https", settings.https_port) if settings.https_port else ("http", port)
    hosts = likely_addresses(host)
    if settings.https_port and settings.names:  # the name that the certificate was given for
        hosts = settings.names[:1]
    return [address_at(host, port, settings.prefix, scheme) for host in hosts]


def print_certificate(certificate: Certificate | None) -> None:
    """Prints what is to know of the certificate, if there is one."""
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
