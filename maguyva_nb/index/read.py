"""Bytes of a file -> text, or the reason why there is none."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

# Where a NUL byte makes a file binary: what git and grep look at, give or take.
SNIFF_BYTES = 8192
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\b\x1b"))
# Random bytes have ten times as many, text in any encoding hardly one in a thousand.
MAX_CONTROLS = 0.01
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PYTHON = re.compile(rb"^[ \t\f]*(?:#|//|--|/?\*|;|%|\").*?coding[:=][ \t]*([-\w.]+)")
_MARKUP = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([-\w.]+)|<meta[^>]*?charset\s*=\s*[\"']?([-\w.]+)", re.I)
_STYLE = re.compile(rb"^@charset \"([-\w.]+)\"")
# Python knows codecs that are no character sets (rot13, hex, unicode_escape); a file may not choose those.
_CHARACTER_SET = re.compile(
    r"ascii|utf-(?:8|16|32)|iso8859|cp\d|koi8|shift_jis|euc|gb|big5|mac|latin|hz|iso2022|johab|kz1048|ptcp154|tis"
)


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text with ``\\n`` line ends and no byte order mark; ``reason`` when it was not UTF-8."""

    text: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file has no text."""

    reason: str


def decode(data: bytes) -> Text | Unreadable:
    """Decodes by mark, then UTF-8 or the declared encoding, then latin-1, which takes any byte."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if b"\0" in data[:SNIFF_BYTES]:
        return Unreadable("binary")
    declared = None if data.isascii() else declared_encoding(data)
    for name in (declared, "utf-8", "latin-1"):
        if name == "latin-1" and _is_noise(data):
            break
        text = _try(data, name) if name else None
        if text is not None:
            return Text(_lines(text), None if name == "utf-8" else f"decoded as {name}")
    return Unreadable("binary")


def declared_encoding(data: bytes) -> str | None:
    """The character set a file names in its first two lines, its XML header or its HTML head."""
    head = data[:1024]
    matches = [_PYTHON.match(line) for line in head.split(b"\n")[:2]] + [_MARKUP.search(head), _STYLE.match(head)]
    for match in matches:
        if match:
            name = next(group for group in match.groups() if group).decode("ascii", "replace")
            return _codec(name)
    return None


def split_text(text: str) -> list[str]:
    """Lines without their ``\\n``; a final line end opens no further line."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _is_noise(data: bytes) -> bool:
    """Compressed and encoded data without an early NUL byte: text of any encoding has next to no control bytes."""
    return len(data) - len(data.translate(None, _CONTROLS)) > MAX_CONTROLS * len(data)


def _codec(name: str) -> str | None:
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return found if _CHARACTER_SET.match(found) else None


def _marked(data: bytes, encoding: str) -> Text:
    text = data.decode(encoding, "replace")
    damaged = "�" in text and _try(data, encoding) is None
    note = f"decoded as {encoding}" + (", damaged" if damaged else "")
    return Text(_lines(text), note if damaged or encoding != "utf-8" else None)


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
