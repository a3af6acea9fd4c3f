"""What a path says: its name in the index, whether it is a test."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from maguyva_nb.config import PathMarkers

# Customs of the languages: x_test.go, x.spec.ts, XTest.java, and test_x.py where that is the custom:
# in a shell script or a C file "test_" may as well be what the code is about.
TEST_STEM = re.compile(
    r"(?:.*[_.-](?:test|tests|spec)|.*\.(?:test|spec)\..*|[A-Z]\w*(?:Test|Tests|TestCase|Spec)|tests?)$"
)
TEST_PREFIX = re.compile(r"(?:test_.*\.(?:py|rb|php|exs?)|conftest\.py)$")
_ESCAPE = re.compile(rb"\\x([89a-f][0-9a-f])")


def stored_path(name: str) -> str:
    """A file name as valid UTF-8: bytes that are none become ``\\xNN``."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogateescape" if _escaped(name) else "backslashreplace")
        return raw.decode("utf-8", "backslashreplace")
    return name


def real_path(root: Path, stored: str) -> Path:
    """The file of a stored path: itself, or the name with its ``\\xNN`` read as bytes."""
    plain = root / stored
    if "\\x" not in stored or os.path.lexists(plain):
        return plain
    raw = _ESCAPE.sub(lambda m: bytes([int(m.group(1), 16)]), stored.encode("utf-8"))
    return root / os.fsdecode(raw)


def is_test_path(path: str, markers: PathMarkers) -> bool:
    """Whether a folder or the file's own name marks a test."""
    *folders, name = PurePosixPath(path).parts
    named = TEST_STEM.match(PurePosixPath(name).stem) or TEST_PREFIX.match(name)
    return bool(named) or not set(markers.test).isdisjoint(folders)


def module_name(path: str) -> str:
    """The dotted name of a file: ``pkg/sub/__init__.py`` -> ``pkg.sub``, ``pkg/mod.py`` -> ``pkg.mod``."""
    pure = PurePosixPath(path)
    parts = [*pure.parts[:-1], pure.stem]
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


def _escaped(name: str) -> bool:
    return all(0xDC80 <= ord(c) <= 0xDCFF for c in name if 0xD800 <= ord(c) <= 0xDFFF)
