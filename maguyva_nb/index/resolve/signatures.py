"""What a one-line header tells: parameters with their types, the type of a result or a value."""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
# ``name: Type`` (Python, TypeScript, Rust, Kotlin, Scala, Swift), ``Type name`` (Java, C, C#, PHP), ``name Type`` (Go).
_COLON = re.compile(
    r"^(?:\*{0,2}|\.\.\.)\s*(?:(?:mut|ref|readonly|public|private|protected|val|var|let|final)\s+)*"
    r"([A-Za-z_$][\w$]*)\??\s*(?::\s*(.+?))?\s*(?:=.*)?$",
    re.S,
)
_TYPE_FIRST = re.compile(
    r"^(?:(?:final|const|ref|out|in|this|params|readonly)\s+)*([\w.:<>\[\],\s*&?]+?)[\s*&]+\$?([A-Za-z_]\w*)\s*(?:=.*)?$",
    re.S,
)
_NAME_FIRST = re.compile(r"^([A-Za-z_]\w*)\s+(.+)$", re.S)
_GO_RECEIVER = re.compile(r"^func\s*\(\s*(\w+)\s+\*?\s*([\w.]+)")
_ARROW = re.compile(r"(?:->|\)\s*:)\s*(.+)$", re.S)
_VALUE_TYPE = re.compile(r"^[^=(]*?[\w$]\s*:(?!=)\s*([^=]+)")
_GO_RESULT = re.compile(r"\)\s*\(?\s*\*?([A-Za-z_][\w.]*)[^()]*\)?$")
_MODIFIERS = re.compile(
    r"^(?:(?:public|private|protected|internal|static|final|readonly|const|constexpr|volatile|override|virtual|abstract|sealed"
    r"|async|extern|inline|function|synchronized|transient|unsafe|new|partial)\s+)+|^@\w+\s+"
)
_VALUE_CALL = re.compile(r"=\s*(?:await\s+)?(?:new\s+)?&?([A-Za-z_$][\w$.:]*)\s*[({]")
_WRAPPERS = re.compile(
    r"^(?:Optional|Type|type|Final|ClassVar|Annotated|Awaitable|Promise|Arc|Rc|Box|Option|Result|Ref|Mutex|"
    r"RefCell|Readonly|Partial|Shared|Lazy|std::sync::Arc|List|Sequence|Iterable)\s*[\[<](.+)[\]>]$",
    re.S,
)
_HOLDERS = ("List", "Sequence", "Iterable")
_TYPE_LAST = frozenset({"java", "c", "cpp", "csharp", "php"})


@lru_cache(50_000)
def parameters(signature: str, language: str) -> dict[str, str]:
    """Parameter names and their written types, "" where there is none."""
    found: dict[str, str] = {}
    for part in _arguments(signature, language):
        name, kind = _parameter(part.strip(), language)
        if name:
            found[name] = kind
    return found


@lru_cache(20_000)
def go_receiver(signature: str) -> tuple[str, str] | None:
    """``(name, type)`` of the receiver of a Go method."""
    match = _GO_RECEIVER.match(signature)
    return (match[1], match[2]) if match else None


@lru_cache(20_000)
def result_type(signature: str, language: str, name: str) -> str:
    """The written type of what a function returns, or ""."""
    match = (_GO_RESULT if language == "go" else _ARROW).search(signature)
    if match is None and language in _TYPE_LAST:
        return _before(signature, name)
    return match[1].strip() if match else ""


@lru_cache(20_000)
def value_type(signature: str, language: str, name: str) -> tuple[str, str]:
    """``(written type, what it is made by)`` of a constant, variable or field; "" where it does not tell."""
    made = _VALUE_CALL.search(signature)
    if language in _TYPE_LAST:
        written = _before(signature, name)
    else:
        typed = _VALUE_TYPE.match(signature)
        written = typed[1].strip() if typed else ""
    return written, made[1] if made else ""


def _before(signature: str, name: str) -> str:
    """The type that stands before a name, without modifiers."""
    words = re.split(rf"\s[*&]*\$?{re.escape(name)}\b", signature, maxsplit=1)
    text = _MODIFIERS.sub("", words[0]).strip() if len(words) == 2 else ""
    return "" if text in ("var", "void", "auto", "") else text


@lru_cache(50_000)
def plain_type(text: str) -> str:
    """A type without quotes, null, references and the wrappers whose members are those of what they hold."""
    text = text.strip().strip("\"'").lstrip("?")
    text = re.sub(r"^(?:&\s*(?:'\w+\s*)?(?:mut\s+)?|\*\s*|dyn\s+|impl\s+|const\s+|mut\s+)+", "", text)
    parts = [p.strip() for p in text.split("|")]
    parts = [p for p in parts if p not in ("None", "null", "undefined")]
    if len(parts) != 1:
        return ""
    text = parts[0].rstrip("?&* ")
    wrapped = _WRAPPERS.match(text)
    if wrapped and not text.startswith(_HOLDERS):
        return plain_type(_first_argument(wrapped[1]))
    if text.endswith("[]") or text.startswith(("[", "(", "{")):
        return ""
    match = re.match(r"[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*", text)
    return match[0] if match and text.startswith(match[0]) and not wrapped else ""


def _first_argument(text: str) -> str:
    parts = _split(text)
    return parts[0] if parts else text


def _arguments(signature: str, language: str) -> list[str]:
    start = signature.find("(")
    if language == "go" and signature.startswith("func ("):
        start = signature.find("(", signature.find(")"))
    if start < 0:
        return []
    depth = 0
    for at in range(start, len(signature)):
        depth += signature[at] in "([{"
        depth -= signature[at] in ")]}"
        if depth == 0:
            return _split(signature[start + 1 : at])
    return _split(signature[start + 1 :])


def _split(text: str) -> list[str]:
    """Cuts at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += char in "([{<"
        depth -= char in ")]}" or (char == ">" and text[at - 1 : at] not in ("-", "="))
        if char == "," and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]] if text[start:].strip() else parts


def _parameter(part: str, language: str) -> tuple[str, str]:
    if language in _TYPE_LAST:
        match = _TYPE_FIRST.match(part)
        return (match[2], match[1].strip()) if match else (part.lstrip("$&*"), "")
    if language == "go":
        match = _NAME_FIRST.match(part)
        return (match[1], match[2]) if match else (part, "")
    match = _COLON.match(part)
    return (match[1], match[2] or "") if match else ("", "")
