"""The demo runs from a built wheel, outside the checkout, with nothing but what the wheel holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.mark.install
def test_the_demo_runs_from_an_unpacked_wheel(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    where = (
        "import sys, maguyva_nb; from maguyva_nb.cli import main;"
        "print(maguyva_nb.__file__, file=sys.stderr); sys.exit(main(['demo', '--json']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", where],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(site) in run.stderr
    answers = json.loads(run.stdout)["demo"]
    assert answers[0]["results"][0]["symbol"] == "parseConfig"
    assert len(answers) == 4


@pytest.mark.install
def test_the_wheel_holds_the_data_and_no_rubbish(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "maguyva_nb/defaults.toml",
        "maguyva_nb/rules.toml",
        "maguyva_nb/store/schema.sql",
        "maguyva_nb/index/queries/python.scm",
        "maguyva_nb/py.typed",
        "maguyva_nb_widgets/ranked_lists.js",
        "maguyva_nb/_samples/queries/parcel_service.json",
    } <= names
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".duckdb")]
    assert wheel.stat().st_size < 15_000_000
