"""The order of layers is a fact: no module imports a higher one, nor a neighbour on its own step."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STEPS = (
    {"types", "errors", "tokens", "pattern"},
    {"sections"},
    {"config", "protocols", "query", "translate"},
    {"store", "embed"},
    {"graph"},
    {"index"},
    {"retrieve", "fuse", "intent"},
    {"route", "reweigh", "stale"},
    {"understand"},
    {"engine"},
    {"evaluate"},
    {"wire", "doctor", "samples"},
    {"display", "testing"},
    {"maguyva_nb_widgets"},
    {"arguments"},
    {"cli"},
)
LEVEL = {name: level for level, names in enumerate(STEPS) for name in names}
HEAVY = {"panel", "litellm", "fastembed", "pyvis", "torch", "pandas", "networkx", "bokeh", "param"}


def modules() -> Iterator[tuple[str, Path]]:
    for package, base in (
        ("maguyva_nb", ROOT / "maguyva_nb"),
        ("maguyva_nb_widgets", ROOT / "widgets/maguyva_nb_widgets"),
    ):
        for path in base.rglob("*.py"):
            room = path.relative_to(base).parts[0].removesuffix(".py")
            yield ("maguyva_nb_widgets" if package == "maguyva_nb_widgets" else room), path


def imports(path: Path) -> Iterator[str]:
    """Dotted names a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module == "maguyva_nb")


def rooms(path: Path) -> set[str]:
    found = set()
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "maguyva_nb_widgets":
            found.add(parts[0])
        elif parts[0] == "maguyva_nb" and len(parts) > 1 and not parts[1].startswith("_"):
            found.add(parts[1])
    return found


def test_every_module_has_a_step() -> None:
    assert {room for room, _ in modules()} - {"__init__"} <= set(LEVEL)


@pytest.mark.parametrize(("room", "path"), sorted(modules(), key=str), ids=lambda value: getattr(value, "name", value))
def test_nothing_imports_a_higher_layer_or_a_neighbour(room: str, path: Path) -> None:
    if room == "__init__":
        return  # the lazy attribute ``explore``, the one named exception
    wrong = {other for other in rooms(path) if other != room and LEVEL[other] >= LEVEL[room]}
    assert not wrong


def test_views_never_read_each_other() -> None:
    views = [
        p
        for _, p in modules()
        if p.parent.name == "maguyva_nb_widgets" and p.stem.endswith(("_view", "_card", "_table", "_bar", "_lists"))
    ]
    names = {f"maguyva_nb_widgets.{p.stem}" for p in views}
    assert views
    assert not [p.name for p in views if (set(imports(p)) & names) - {f"maguyva_nb_widgets.{p.stem}"}]


def test_the_engine_loads_no_heavy_package() -> None:
    code = f"import sys, maguyva_nb.engine, maguyva_nb.cli; print(sorted({HEAVY!r} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_only_the_store_opens_a_database() -> None:
    openers = {path.parent.name for _, path in modules() if "duckdb" in set(imports(path))}
    assert openers <= {"store"}
