"""Sessions in signed cookies that no clock ends, neither this machine's nor its difference to the visitor's."""

from __future__ import annotations

from flask import Flask, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.wrappers import Request, Response
from itsdangerous import BadSignature

from webui.access.network import is_encrypted_here


class CookieSessions(SecureCookieSessionInterface):
    """Flask's sessions, told from a forgery by their signature alone.

    The time in a signature is not asked, since the clock may have been moved since. What a cookie may do ends when its
    device is removed, or when the key that signs is. A browser keeps it for ``PERMANENT_SESSION_LIFETIME`` from when it
    comes, as ``Max-Age`` says; ``Expires`` would be a time by the clock of this machine, which may lie in the browser's
    past (RFC 6265, 5.3: ``Max-Age`` has precedence).

    Cookies know no ports: where this server itself encrypts, the cookie has a name of its own, which browsers neither
    send nor take without encryption (RFC 6265bis, 4.1.3.1).
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        serializer = self.get_signing_serializer(app)
        cookie = request.cookies.get(_name(app, request))
        if serializer is None or not cookie:
            return self.session_class()
        try:
            return self.session_class(serializer.loads(cookie))
        except BadSignature:
            return self.session_class()

    def get_cookie_name(self, app: Flask) -> str:
        return _name(app, request)

    def get_cookie_secure(self, app: Flask) -> bool:
        return is_encrypted_here(request)

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> None:
        """None: ``save_session`` says how long instead."""

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        before = len(response.headers.getlist("Set-Cookie"))
        super().save_session(app, session, response)
        cookies = response.headers.getlist("Set-Cookie")
        if session and session.permanent and len(cookies) > before:
            cookies[-1] += f"; Max-Age={int(app.permanent_session_lifetime.total_seconds())}"
            response.headers.setlist("Set-Cookie", cookies)


def _name(app: Flask, request: Request) -> str:
    name = str(app.config["SESSION_COOKIE_NAME"])
    return f"__Secure-{name}" if is_encrypted_here(request) else name
