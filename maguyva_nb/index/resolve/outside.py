"""Names that languages bring along: a call of one of these, with nothing nearer of that name, leaves the codebase."""

from __future__ import annotations

import builtins
import tomllib
from functools import cache
from importlib import resources

_PYTHON_TYPES = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, Exception)
# Of files, generators, matches and patterns, which have no name among the builtins.
_PYTHON_MORE = frozenset(
    "read write readline readlines close flush seek tell next send throw match search group sub".split()
)
# Families with a list of their own; the common list holds for any spelling (Get, get).
_EXACT = frozenset({"python", "javascript", "rust"})
# What Python 2 sources call.
_PYTHON_OLD = frozenset("unicode xrange basestring raw_input reduce unichr long".split())


def is_builtin(family: str, name: str) -> bool:
    """Whether a bare name is the language's own."""
    return name in _functions(family)


def is_common_method(family: str, name: str) -> bool:
    """Whether values of the language's own types answer to a method of this name."""
    return name in _methods(family) or (family not in _EXACT and name.lower().rstrip("?!") in _methods(family))


@cache
def _functions(family: str) -> frozenset[str]:
    if family == "python":
        return frozenset(dir(builtins)) | _PYTHON_OLD
    return frozenset(_lists()["functions"].get(family, "").split())


@cache
def _methods(family: str) -> frozenset[str]:
    if family == "python":
        return frozenset(name for kind in _PYTHON_TYPES for name in dir(kind)) | _PYTHON_MORE
    lists = _lists()["methods"]
    return frozenset(lists[family].split() if family in _EXACT else lists["other"].lower().split())


@cache
def _lists() -> dict[str, dict[str, str]]:
    text = resources.files("maguyva_nb.index.resolve").joinpath("outside.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
