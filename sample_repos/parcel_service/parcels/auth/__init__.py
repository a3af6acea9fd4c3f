"""Who is calling and what they may do."""

from .passwords import check_password, hash_password, password_problems
from .session import Role, Session, SessionStore, User, do_login, do_logout, refresh_session
from .tokens import Claims, TokenKind, verify_token

__all__ = [
    "Claims",
    "Role",
    "Session",
    "SessionStore",
    "TokenKind",
    "User",
    "check_password",
    "do_login",
    "do_logout",
    "hash_password",
    "password_problems",
    "refresh_session",
    "verify_token",
]
