"""Storing and checking passwords."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os

from parcels.config import load_settings

SCHEME = "pbkdf2"
SALT_BYTES = 16
SHORTEST_PASSWORD = 10


def hash_password(password: str, rounds: int | None = None) -> str:
    """Return a salted, slow hash of the password, fit for the users table.

    The result carries scheme, rounds and salt, so that a later change of the
    settings does not lock out people whose hash was made with the old ones.
    """
    rounds = rounds or load_settings().auth.hash_rounds
    salt = os.urandom(SALT_BYTES)
    digest = _derive(password, salt, rounds)
    return "$".join([SCHEME, str(rounds), _b64(salt), _b64(digest)])


def check_password(password: str, stored: str) -> bool:
    """Tell whether the password fits the stored hash, in constant time."""
    try:
        scheme, rounds, salt, digest = stored.split("$")
    except ValueError:
        return False
    if scheme != SCHEME:
        return False
    candidate = _derive(password, base64.b64decode(salt), int(rounds))
    return hmac.compare_digest(candidate, base64.b64decode(digest))


def needs_rehash(stored: str) -> bool:
    """Tell whether a hash was made with fewer rounds than today's settings ask for."""
    parts = stored.split("$")
    return len(parts) != 4 or int(parts[1]) < load_settings().auth.hash_rounds


def password_problems(password: str, username: str = "") -> list[str]:
    """List what is wrong with a new password; an empty list means it is fine."""
    problems = []
    if len(password) < SHORTEST_PASSWORD:
        problems.append(f"use at least {SHORTEST_PASSWORD} characters")
    if password.lower() == password or password.upper() == password:
        problems.append("mix small and capital letters")
    if not any(letter.isdigit() for letter in password):
        problems.append("add a digit")
    if username and username.lower() in password.lower():
        problems.append("leave your user name out of it")
    return problems


def _derive(password: str, salt: bytes, rounds: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode("utf-8"), salt, rounds)


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
