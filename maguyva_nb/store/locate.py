"""Where databases live: the index in the cache folder, keyed by source path; the user's data in the data folder."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import platformdirs

from maguyva_nb.config import APP


def index_path(source: Path) -> Path:
    """The index file of a codebase (honours ``XDG_CACHE_HOME``)."""
    resolved = str(source.resolve())
    key = hashlib.sha256(resolved.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", source.resolve().name)[:40].strip("-.") or "root"
    return Path(platformdirs.user_cache_dir(APP, appauthor=False)) / "indexes" / f"{slug}-{key}" / "index.duckdb"


def user_path() -> Path:
    """The user's own database (honours ``XDG_DATA_HOME``): what re-indexing must never lose."""
    return Path(platformdirs.user_data_dir(APP, appauthor=False)) / "user.duckdb"
