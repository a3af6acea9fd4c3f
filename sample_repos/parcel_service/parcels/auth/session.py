"""Logging in and out, and keeping track of who is signed in."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from parcels.config import load_settings
from parcels.errors import AuthError, TooManyRequestsError
from parcels.log import get_logger

from . import passwords, tokens

if TYPE_CHECKING:
    from parcels.storage import UserRepository

logger = get_logger(__name__)


class Role(str, Enum):
    """What a person may do; each role includes the ones before it."""

    CLERK = "clerk"
    DISPATCHER = "dispatcher"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """Tell whether this role may do everything `other` may do."""
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass
class User:
    """A person who can sign in."""

    user_id: str
    username: str
    password_hash: str
    role: Role = Role.CLERK


@dataclass
class Session:
    """One signed-in user: the pair of tokens handed out at login."""

    user_id: str
    role: Role
    access_token: str
    refresh_token: str
    opened_at: float = field(default_factory=time.time)


class SessionStore:
    """Remembers open sessions, closed token ids and failed attempts to log in."""

    def __init__(self) -> None:
        self._open: dict[str, Session] = {}
        self._revoked: set[str] = set()
        self._failed: dict[str, list[float]] = {}

    def remember(self, session: Session) -> None:
        claims = tokens.verify_token(session.access_token)
        self._open[claims.token_id] = session

    def find(self, token_id: str) -> Session | None:
        if token_id in self._revoked:
            return None
        return self._open.get(token_id)

    def revoke(self, token_id: str) -> bool:
        self._revoked.add(token_id)
        return self._open.pop(token_id, None) is not None

    def note_failure(self, username: str, now: float) -> None:
        self._failed.setdefault(username, []).append(now)

    def clear_failures(self, username: str) -> None:
        self._failed.pop(username, None)

    def is_locked(self, username: str, now: float) -> bool:
        """An account is locked after too many wrong passwords within the lockout window."""
        limits = load_settings().auth
        recent = [at for at in self._failed.get(username, []) if now - at < limits.lockout]
        self._failed[username] = recent
        return len(recent) >= limits.max_failed_logins

    def drop_older_than(self, cutoff: float) -> int:
        """Close sessions opened before the cutoff and return how many there were."""
        old = [key for key, session in self._open.items() if session.opened_at < cutoff]
        for key in old:
            self.revoke(key)
        return len(old)


def do_login(username: str, password: str, users: UserRepository, store: SessionStore) -> Session:
    """Sign a user in: check the lock, check the password, hand out tokens.

    A wrong user name and a wrong password give the same answer and take about
    the same time, so that nobody can find out which accounts exist.
    """
    now = time.time()
    if store.is_locked(username, now):
        raise TooManyRequestsError("too many failed attempts, wait a few minutes")
    user = users.find_by_username(username)
    stored = user.password_hash if user else _decoy_hash()
    fits = passwords.check_password(password, stored)
    if user is None or not fits:
        store.note_failure(username, now)
        logger.info("failed login for %s", username)
        raise AuthError("wrong user name or password")
    store.clear_failures(username)
    if passwords.needs_rehash(user.password_hash):
        user.password_hash = passwords.hash_password(password)
        users.update(user)
    session = _open_session(user)
    store.remember(session)
    return session


def do_logout(access_token: str, store: SessionStore) -> bool:
    """Close the session that the token belongs to."""
    claims = tokens.verify_token(access_token)
    closed = store.revoke(claims.token_id)
    logger.info("user %s signed out", claims.subject)
    return closed


def refresh_session(refresh_token: str, users: UserRepository, store: SessionStore) -> Session:
    """Exchange a refresh token for a fresh session with the user's current role."""
    claims = tokens.verify_token(refresh_token, tokens.TokenKind.REFRESH)
    user = users.get(claims.subject)
    session = _open_session(user)
    store.remember(session)
    return session


def _open_session(user: User) -> Session:
    return Session(
        user_id=user.user_id,
        role=user.role,
        access_token=tokens.issue_access_token(user.user_id, user.role.value),
        refresh_token=tokens.issue_refresh_token(user.user_id, user.role.value),
    )


@lru_cache(maxsize=1)
def _decoy_hash() -> str:
    return passwords.hash_password("decoy for unknown accounts")
