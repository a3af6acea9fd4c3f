"""Every notebook runs from top to bottom without a network, shows what its text promises, and is committed clean."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
QUICKSTART = "01_quickstart.ipynb"
RRF = "03_how_rrf_behaves.ipynb"

MAX_LINES = 25
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# Lab gives new cells eight hexadecimal digits.
RANDOM_ID = re.compile(r"[0-9a-f]{8}")

# Loaded by every Python that the kernel starts: what would leave this computer is refused and written down.
GUARD = """
import os, sys

def guard(event, args):
    if event == "socket.connect":
        host = args[1][0] if isinstance(args[1], tuple) else "localhost"
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in (None, "", "localhost", "::1", "0.0.0.0") and not host.startswith("127."):
        with open(os.environ["REQUESTS_SEEN"], "a") as seen:
            seen.write(f"{event} {host}\\n")
        raise OSError(f"no network in this test: {host}")

sys.addaudithook(guard)
"""


class Run:
    """What one execution left behind."""

    def __init__(self, notebook: NotebookNode, requests: str) -> None:
        self.cells: Mapping[str, NotebookNode] = {cell.id: cell for cell in notebook.cells}
        self.widgets = [
            widget["state"]
            for kind in notebook.metadata.get("widgets", {}).values()
            for widget in kind["state"].values()
        ]
        self.requests = requests

    def text(self, cell_id: str) -> str:
        """All that a cell printed or showed, as plain text."""
        outputs = self.cells[cell_id].outputs
        return "\n".join(o.text if o.output_type == "stream" else o.data.get("text/plain", "") for o in outputs)

    def html(self, cell_id: str) -> str:
        """The tables a cell showed."""
        return "\n".join(o.data.get("text/html", "") for o in self.cells[cell_id].outputs if "data" in o)

    def numbers(self, cell_id: str) -> list[float]:
        """The decimal numbers that a cell printed, in order."""
        return [float(number) for number in re.findall(r"\d+\.\d+", self.text(cell_id))]


def read(name: str) -> NotebookNode:
    return nbformat.read(FOLDER / name, as_version=4)


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory):
    """Executes a notebook, each one once, with folders of its own and no way out."""

    @cache
    def executed(name: str) -> Run:
        home = tmp_path_factory.mktemp(Path(name).stem)
        (home / "guard").mkdir()
        (home / "guard" / "sitecustomize.py").write_text(GUARD)
        seen = home / "requests.txt"
        notebook = read(name)
        client = NotebookClient(notebook, kernel_name="python3", timeout=60, resources={"metadata": {"path": home}})
        client.execute(env=_environment(home, seen))
        return Run(notebook, seen.read_text() if seen.exists() else "")

    return executed


def _environment(home: Path, seen: Path) -> dict[str, str]:
    nowhere = "http://127.0.0.1:9"
    return {
        **os.environ,
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CACHE", "DATA", "CONFIG")},
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), nowhere),
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(home / "guard"),
        "REQUESTS_SEEN": str(seen),
    }


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs_to_the_end_without_complaint(name: str, run) -> None:
    outputs = [(cell.id, out) for cell in run(name).cells.values() for out in cell.get("outputs", ())]
    errors = [(cell_id, out) for cell_id, out in outputs if out.output_type == "error" or out.get("name") == "stderr"]
    assert outputs
    assert errors == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_asks_nothing_of_the_network(name: str, run) -> None:
    assert run(name).requests == ""


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_is_committed_clean(name: str) -> None:
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    nbformat.validate(notebook)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}
    for cell in notebook["cells"]:
        assert cell.get("outputs", []) == [], cell["id"]
        assert cell.get("execution_count") is None, cell["id"]
        assert cell["metadata"] == {}, cell["id"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_its_cells_are_short_and_named_for_what_they_do(name: str) -> None:
    cells = read(name).cells
    ids = [cell.id for cell in cells]
    assert [i for i in ids if not SLUG.fullmatch(i) or RANDOM_ID.fullmatch(i)] == []
    assert len(set(ids)) == len(ids)
    assert [c.id for c in cells if c.cell_type == "code" and len(c.source.splitlines()) > MAX_LINES] == []


def test_quickstart_finds_the_definition_first(run) -> None:
    first = run(QUICKSTART).text("ask-for-a-definition").split("\n  1. ")[1].splitlines()[0]
    assert first.startswith("parcels/config/compat.py:")
    assert first.endswith("function parseConfig")


def test_quickstart_shows_each_intent_whatever_the_language(run) -> None:
    routes = run(QUICKSTART).html("compare-the-routes")
    assert re.findall(r"<td>(find_\w+|impact_\w+|exact_\w+|understand_\w+)</td>", routes) == [
        *["find_definition"] * 2,
        *["impact_analysis"] * 2,
        "exact_match",
        "understand_code",
    ]


def test_quickstart_ledger_adds_up_to_the_score(run) -> None:
    total, score = run(QUICKSTART).numbers("check-the-sum")
    assert total == pytest.approx(score, abs=1e-12)
    assert score > 0


def test_quickstart_never_gives_callers_without_what_stayed_unresolved(run) -> None:
    known, ambiguous = run(QUICKSTART).text("unresolved-sites").strip().splitlines()
    assert int(re.search(r"(\d+) symbols reached", known)[1]) >= 10
    assert int(re.search(r"(\d+) of \d+ call sites", ambiguous)[1]) > 0


def test_quickstart_new_weights_change_the_order(run) -> None:
    rows = re.findall(r"<tr>\s*<th>\d</th>(.*?)</tr>", run(QUICKSTART).html("change-the-weights"), re.S)
    before, names_only = zip(*(re.findall(r"<td>(.*?)</td>", row)[:2] for row in rows), strict=True)
    assert before != names_only


def test_quickstart_ends_in_the_app(run) -> None:
    assert "ExplorerApp" in run(QUICKSTART).text("open-the-app")


def test_rrf_by_hand_is_what_the_code_computes(run) -> None:
    sums = [re.findall(r"0\.\d+", row) for row in run(RRF).text("fuse-two-lists").strip().splitlines()[2:]]
    ratios = [row.split()[1:] for row in run(RRF).text("first-against-fiftieth").strip().splitlines()[2:]]
    assert (len(sums), len(ratios)) == (4, 5)
    assert all(by_hand == by_code for by_hand, by_code in (*sums, *ratios))


def test_rrf_tells_where_a_weight_becomes_a_switch(run) -> None:
    assert f"{(40 + 100) / (40 + 1):.2f}" == "3.41"
    assert run(RRF).numbers("switch-ratio")[2:4] == [3.41, 2.62]


def test_rrf_crossing_rank_is_that_of_the_fused_lists(run) -> None:
    rows = [row.split() for row in run(RRF).text("crossing-rank").strip().splitlines()[2:]]
    assert len(rows) >= 5
    assert all(int(hits) == min(int(float(by_hand)), 100) for _, by_hand, hits in rows)


def test_rrf_raw_pagerank_boosts_nothing_and_the_largest_121_percent(run) -> None:
    boosts = dict(re.findall(r"(pagerank_\w+).* ([\d.]+)\s+(?:True|False)", run(RRF).text("boost-of-each-scale")))
    assert float(boosts["pagerank_raw"]) < 1.01
    assert round(float(boosts["pagerank_max"]), 2) == 1.21


def test_rrf_sliders_fuse_again_without_a_browser(run) -> None:
    first = run(RRF).text("move-a-slider").split(":")[1].strip()
    (table,) = (state["outputs"] for state in run(RRF).widgets if state.get("outputs"))
    assert first.split()[0] in table[0]["data"]["text/plain"].splitlines()[1]
