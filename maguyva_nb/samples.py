"""The sample codebases that ship with the package."""

from __future__ import annotations

from pathlib import Path

from maguyva_nb.errors import PathNotFound

DEMO = "parcel_service"


def sample_path(name: str = DEMO) -> Path:
    """The folder of a sample, in an installed package or in a checkout."""
    here = Path(__file__).resolve().parent
    for base in (here / "_samples", here.parent / "sample_repos"):
        if (base / name).is_dir():
            return base / name
    raise PathNotFound(f"The sample codebase {name!r} is not installed.", next="Reinstall maguyva-nb.")
