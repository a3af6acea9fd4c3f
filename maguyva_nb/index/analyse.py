"""One file -> all that the index holds of it: a pure function of its bytes, run in any process."""

from __future__ import annotations

import gc
import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate

from maguyva_nb.config import ChunkSettings, IndexSettings, PathMarkers, Settings
from maguyva_nb.index.chunk import Piece, chunk_file, window_pieces
from maguyva_nb.index.fields import FieldCounts, FieldText, count_fields
from maguyva_nb.index.languages import language, language_of
from maguyva_nb.index.notebook import Notebook, read_notebook
from maguyva_nb.index.parse import parse_source
from maguyva_nb.index.parsed import ParsedFile, ParsedSymbol
from maguyva_nb.index.paths import is_test_path, module_name
from maguyva_nb.index.read import Text, Unreadable, decode, split_text
from maguyva_nb.index.walk import Found
from maguyva_nb.protocols import EmbedItem
from maguyva_nb.types import FileStatus, SymbolKind

# What an embedder is shown of one chunk: enough for its meaning, and a bound for one-line giants.
EMBED_CHARS = 20_000
# What a language is told by: a shebang, or marks of C++ in a header.
HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Options:
    """The settings that decide what a file becomes."""

    index: IndexSettings
    chunk: ChunkSettings
    paths: PathMarkers

    @classmethod
    def of(cls, settings: Settings) -> Options:
        """Those of a whole."""
        return cls(settings.index, settings.chunk, settings.paths)


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before ids; ``item`` is what to embed, None for chunks without a vector."""

    kind: str
    name: str
    start: int
    end: int
    text: str
    is_test: bool
    item: EmbedItem | None


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A file before ids; ``symbol_chunk[i]`` is the number in ``chunks`` of symbol ``i``'s chunk.

    ``is_test`` tells of the path alone; symbols and chunks can be tests of their own.
    """

    path: str
    language: str | None
    size: int
    lines: int
    sha256: str
    mtime_ns: int
    status: FileStatus
    reason: str | None
    chunks: tuple[ChunkDraft, ...] = ()
    parsed: ParsedFile | None = None
    symbol_chunk: tuple[int, ...] = ()
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """What one task returns: files in order, and the fields of all their chunks."""

    files: tuple[FileDraft, ...]
    fields: FieldCounts


@dataclass(frozen=True, slots=True)
class _Source:
    """A readable file: ``code`` is what to parse, line for line like ``text``."""

    text: str
    code: str
    language: str | None
    cells: tuple[int, ...] = ()
    reason: str | None = None


def analyse_batch(files: Sequence[Found], options: Options) -> Batch:
    """Reads, parses, chunks and counts some files; a file that fails becomes a row that says so."""
    drafts: list[FileDraft] = []
    texts: list[FieldText] = []
    with without_gc():
        for found in files:
            draft, fields = _safely(found, options)
            drafts.append(draft)
            texts += fields
        return Batch(tuple(drafts), count_fields(texts))


@contextmanager
def without_gc() -> Iterator[None]:
    """Spares a fifth of the time: millions of small objects are made here, none of them in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _safely(found: Found, options: Options) -> tuple[FileDraft, list[FieldText]]:
    try:
        with open(found.real, "rb") as stream:
            data = stream.read(options.index.max_bytes)
    except OSError as error:
        reason = "no permission" if isinstance(error, PermissionError) else f"unreadable ({error.strerror or error})"
        return _skipped(found, reason), []
    if len(data) >= options.index.max_bytes:
        return _skipped(found, "too large"), []
    try:
        return analyse_bytes(found, data, options)
    except Exception as error:  # any one file's trouble is a row, never the end of the run
        return _skipped(found, f"failed ({_trouble(error)})", data), []


def analyse_bytes(found: Found, data: bytes, options: Options) -> tuple[FileDraft, list[FieldText]]:
    """The draft of a file and the field texts of its chunks."""
    decoded = decode(data)
    if isinstance(decoded, Unreadable):
        return _skipped(found, decoded.reason, data), []
    source = _source(found.path, data, decoded)
    lines = split_text(source.text)
    if lines and len(source.text) / len(lines) >= options.index.minified_line:
        return _minified(found, data, source, lines, options)
    parsed, trouble = _parse(source, found.path, len(lines))
    reason = source.reason or trouble or _unparsed(parsed.errors)
    pieces = chunk_file(parsed, lines, options.chunk, cells=source.cells)
    is_test = is_test_path(found.path, options.paths)
    chunks, fields, symbol_chunk = _drafts(found.path, parsed, pieces, lines, source.text, is_test)
    status = FileStatus.PARTIAL if reason else FileStatus.INDEXED
    draft = _draft(found, data, source, len(lines), status, reason, chunks, parsed, symbol_chunk)
    return replace(draft, is_test=is_test), fields


def _source(path: str, data: bytes, decoded: Text) -> _Source:
    if path.lower().endswith(".ipynb"):
        notebook = read_notebook(decoded.text)
        if notebook is None:
            return _Source(decoded.text, "", None, reason=decoded.reason or "not a readable notebook")
        return _notebook_source(notebook, decoded.reason)
    name = language_of(path, data[:HEAD_BYTES])
    return _Source(decoded.text, decoded.text, name, reason=decoded.reason)


def _notebook_source(notebook: Notebook, reason: str | None) -> _Source:
    return _Source(notebook.text, notebook.code, notebook.language, notebook.cells, reason)


def _parse(source: _Source, path: str, lines: int) -> tuple[ParsedFile, str | None]:
    """The parsed file, and what went wrong; a language without a grammar is one module and no more."""
    row = language(source.language) if source.language else None
    if row is None or row.grammar is None or not lines:
        return _bare(path, lines), None
    try:
        return parse_source(row.name, source.code.encode("utf-8", "surrogatepass"), module_name(path)), None
    except Exception as error:
        return _bare(path, lines), f"not parsed ({_trouble(error)})"


def _bare(path: str, lines: int) -> ParsedFile:
    dotted = module_name(path)
    module = ParsedSymbol(
        name=dotted.rpartition(".")[2],
        qualified_name=dotted,
        kind=SymbolKind.MODULE,
        parent=None,
        signature="",
        doc="",
        line=1,
        start_line=1,
        end_line=max(lines, 1),
        doc_start=1,
        exported=True,
        is_test=False,
    )
    return ParsedFile(None, (module,))


def _minified(
    found: Found, data: bytes, source: _Source, lines: list[str], options: Options
) -> tuple[FileDraft, list[FieldText]]:
    """Chunks for the text list alone: no symbol of such a file was written by a person, nor has it a meaning."""
    pieces = window_pieces(lines, 1, len(lines), options.chunk.line_window)
    offsets = _offsets(lines)
    is_test = is_test_path(found.path, options.paths)
    texts = [source.text[offsets[p.start - 1] : offsets[p.end]] for p in pieces]
    chunks = tuple(
        ChunkDraft(p.kind, p.name, p.start, p.end, text, is_test, None) for p, text in zip(pieces, texts, strict=True)
    )
    fields = [FieldText("", found.path, "", text) for text in texts]
    return _draft(found, data, source, len(lines), FileStatus.PARTIAL, "minified", chunks, None, ()), fields


def _drafts(
    path: str, parsed: ParsedFile, pieces: Sequence[Piece], lines: list[str], text: str, is_test: bool
) -> tuple[tuple[ChunkDraft, ...], list[FieldText], tuple[int, ...]]:
    starts = [piece.start for piece in pieces]
    symbol_chunk = tuple(bisect_right(starts, s.line) - 1 for s in parsed.symbols) if pieces else ()
    defined: list[list[ParsedSymbol]] = [[] for _ in pieces]
    for symbol, chunk in zip(parsed.symbols[1:], symbol_chunk[1:], strict=True):
        defined[chunk].append(symbol)
    offsets = _offsets(lines)
    comment_starts = [line for line, _ in parsed.comment_lines]
    chunks: list[ChunkDraft] = []
    fields: list[FieldText] = []
    for piece, symbols in zip(pieces, defined, strict=True):
        body = text[offsets[piece.start - 1] : offsets[piece.end]]
        spoken = parsed.comment_lines[
            bisect_left(comment_starts, piece.start) : bisect_right(comment_starts, piece.end)
        ]
        doc = "\n".join(comment for _, comment in spoken)
        main = parsed.symbols[piece.symbol] if piece.symbol else None
        tested = is_test or (main is not None and main.is_test)
        item = _item(path, parsed, piece, main, symbols, doc, body)
        chunks.append(ChunkDraft(piece.kind, piece.name, piece.start, piece.end, body, tested, item))
        names = "\n".join(s.qualified_name for s in symbols) or piece.name
        fields.append(FieldText(names, path, doc, body))
    return tuple(chunks), fields, symbol_chunk


def _item(
    path: str,
    parsed: ParsedFile,
    piece: Piece,
    main: ParsedSymbol | None,
    symbols: Sequence[ParsedSymbol],
    doc: str,
    body: str,
) -> EmbedItem | None:
    if not body.strip():
        return None
    names = dict.fromkeys(s.name for s in symbols)
    name = " ".join(names) or (main.name if main else "")
    parent = parsed.symbols[main.parent].qualified_name if main and main.parent else ""
    return EmbedItem(path, name, parent, piece.kind, doc[:EMBED_CHARS], body[:EMBED_CHARS])


def _offsets(lines: Sequence[str]) -> list[int]:
    """Where each line starts in the text; one more than there are lines (past the end is harmless in a slice)."""
    return list(accumulate(map((1).__add__, map(len, lines)), initial=0))


def _unparsed(errors: int) -> str | None:
    """What a parser could not understand is left out of the symbols, and nowhere else."""
    return f"{errors} syntax error{'s' if errors > 1 else ''}" if errors else None


def _trouble(error: Exception) -> str:
    """An error in a few words that a database takes: its text may quote the file."""
    return f"{type(error).__name__}: {str(error)[:100]}".encode("utf-8", "replace").decode("utf-8")


def _skipped(found: Found, reason: str, data: bytes = b"") -> FileDraft:
    sha = hashlib.sha256(data).hexdigest() if data else ""
    return FileDraft(found.path, None, found.size, 0, sha, found.mtime_ns, FileStatus.SKIPPED, reason)


def _draft(
    found: Found,
    data: bytes,
    source: _Source,
    lines: int,
    status: FileStatus,
    reason: str | None,
    chunks: tuple[ChunkDraft, ...],
    parsed: ParsedFile | None,
    symbol_chunk: tuple[int, ...],
) -> FileDraft:
    return FileDraft(
        path=found.path,
        language=source.language,
        size=len(data),
        lines=lines,
        sha256=hashlib.sha256(data).hexdigest(),
        mtime_ns=found.mtime_ns,
        status=status,
        reason=reason,
        chunks=chunks,
        parsed=parsed if chunks else None,
        symbol_chunk=symbol_chunk,
    )
