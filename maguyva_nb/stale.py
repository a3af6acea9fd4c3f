"""Files that are no longer as they were indexed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from maguyva_nb.index.paths import real_path
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.types import SearchWarning


def stale_warnings(reader: IndexReader, source: Path, paths: Iterable[str]) -> list[SearchWarning]:
    """Warnings that name the files which changed since they were indexed, or cannot be read."""
    state = {path: _changed(reader, source, path) for path in sorted(set(paths))}
    changed = [path for path, it_did in state.items() if it_did]
    closed = [path for path, it_did in state.items() if it_did is None]
    said = []
    if changed:
        next_step = f"maguyva-nb index {source} --force"
        said.append(f"Changed since they were indexed: {_few(changed)}. Refresh with: {next_step}")
    if closed:
        said.append(f"Cannot be read, so nobody knows whether they changed: {_few(closed)}. Check permissions.")
    return [SearchWarning("stale", one) for one in said]


def _changed(reader: IndexReader, source: Path, path: str) -> bool | None:
    """Whether a file is other than it was indexed; None when it may not be read."""
    files = reader.files
    i = files.path.index(path)
    try:
        file = real_path(source, path)
        now = file.stat()
        if (now.st_mtime_ns, now.st_size) == (files.mtime_ns[i], files.bytes[i]):
            return False
        return hashlib.sha256(file.read_bytes()).hexdigest() != files.sha256[i]
    except PermissionError:
        return None
    except OSError:
        return True


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
