"""Every test has folders of its own: nothing of the user's is read, nothing is left behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# Set before anything is imported or started, so that worker processes inherit it.
_HOME = Path(tempfile.mkdtemp(prefix="maguyva-nb-tests-"))
for _name in ("CACHE", "DATA", "CONFIG"):
    os.environ[f"XDG_{_name}_HOME"] = str(_HOME / _name.lower())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fresh cache, data and config folders for one test."""
    for name in ("CACHE", "DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "xdg" / name.lower()))
    return tmp_path / "xdg"


@pytest.fixture(scope="session")
def sample() -> Path:
    """The Python sample codebase."""
    from maguyva_nb.samples import sample_path

    return sample_path()


@pytest.fixture(scope="session")
def sample_index(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample, made once a run."""
    from maguyva_nb.engine import Explorer

    return Explorer.index(sample, db=tmp_path_factory.mktemp("index") / "index.duckdb").database


@pytest.fixture(scope="session")
def explorer(sample: Path, sample_index: Path) -> Iterator[object]:
    """An explorer of the sample, shared by all tests that only read."""
    from maguyva_nb.engine import Explorer

    one = Explorer.open(sample, db=sample_index)
    yield one
    one.close()
