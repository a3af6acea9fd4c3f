"""Command line: run the service, add users, ask for a price."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Sequence
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from parcels.api import App, build_app
from parcels.auth import Role, User, hash_password, password_problems
from parcels.config import load_settings, reset_settings
from parcels.config.settings import SETTINGS_VARIABLE
from parcels.errors import ParcelError, ValidationError
from parcels.log import get_logger
from parcels.orders import Parcel, quick_quote
from parcels.orders.service import new_id
from vendor.ascii_table import render_table

logger = get_logger(__name__)


def build_parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(prog="parcels", description="Quote, book and track parcels.")
    parser.add_argument("--settings", help="settings file to use instead of the one shipped")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="run the HTTP service")
    serve.add_argument("--port", type=int)
    serve.add_argument("--settings", default=argparse.SUPPRESS)
    user = commands.add_parser("add-user", help="create somebody who can sign in")
    user.add_argument("username")
    user.add_argument("--role", choices=[role.value for role in Role], default=Role.CLERK.value)
    quote = commands.add_parser("quote", help="tell what a parcel costs")
    quote.add_argument("--weight", required=True, help="in kilograms")
    quote.add_argument("--size", required=True, help="three edges in centimetres, like 30x20x10")
    quote.add_argument("--to", required=True, help="two-letter country code")
    return parser


def make_handler(app: App) -> type[BaseHTTPRequestHandler]:
    """Make the class that carries requests from the socket to the app."""

    class SocketHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET")

        def do_POST(self) -> None:
            self._answer("POST")

        def _answer(self, method: str) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("content-length", "0"))
            response = app.request(
                method,
                parts.path,
                self.rfile.read(length),
                dict(self.headers),
                dict(parse_qsl(parts.query)),
                self.client_address[0],
            )
            payload = response.encode()
            self.send_response(response.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            logger.debug(format, *args)

    return SocketHandler


def serve(port: int | None) -> int:
    """Run until interrupted."""
    chosen = port or load_settings().service.port
    server = ThreadingHTTPServer(("127.0.0.1", chosen), make_handler(build_app()))
    logger.info("listening on port %d", chosen)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
    return 0


def add_user(username: str, role: str) -> int:
    """Ask for a password and store a new user."""
    password = getpass.getpass("password: ")
    problems = password_problems(password, username)
    if problems:
        print("; ".join(problems), file=sys.stderr)
        return 1
    users = build_app().services.users
    users.add(User(new_id("usr"), username, hash_password(password), Role(role)))
    return 0


def read_size(text: str) -> tuple[int, int, int]:
    """Read three edges such as ``30x20x10``."""
    try:
        length, width, height = (int(part) for part in text.lower().split("x"))
    except ValueError as problem:
        raise ValidationError("write the size as three numbers, like 30x20x10") from problem
    return length, width, height


def print_quote(weight: str, size: str, country: str) -> int:
    """Print the price of one parcel as a table."""
    quote = quick_quote(Parcel(Decimal(weight), *read_size(size)), country)
    rows = [[what, str(amount.amount)] for what, amount in quote.lines]
    rows.append(["total", str(quote.price.amount)])
    print(render_table(["what", quote.price.currency], rows))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of the command line."""
    options = build_parser().parse_args(arguments)
    if getattr(options, "settings", None):
        os.environ[SETTINGS_VARIABLE] = options.settings
        reset_settings()
    try:
        if options.command == "serve":
            return serve(options.port)
        if options.command == "add-user":
            return add_user(options.username, options.role)
        return print_quote(options.weight, options.size, options.to)
    except ParcelError as problem:
        print(f"error: {problem.message}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
