"""Better vectors for an index in use: nothing waits for them, nothing is embedded twice, nothing half done is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.embed import registry
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import IndexOutdated, ModelUnavailable, StoreLocked
from maguyva_nb.index.upgrade import stored_items, upgrade_index
from maguyva_nb.protocols import EmbedItem, ModelInfo, Vectors
from maguyva_nb.store.reader import IndexReader
from maguyva_nb.store.user import UserStore
from maguyva_nb.types import Modality, Progress, RankedList

CODE = {
    "shop/cart.py": 'class Cart:\n    """What a customer buys."""\n\n    def add(self, item):\n        return item\n'
    * 3,
    "shop/tax.py": "def tax_rate():\n    return 1.21\n",
    "blank.txt": "\n\n",
}
SLOW = "slow:model + bundled"
SEMANTIC = SearchOptions(preset="thorough", modality=Modality.SEMANTIC)


class Slow:
    """A model that counts what it is given, and fails when told to."""

    revision = "1"
    dimensions = 3
    broken = ""

    def __init__(self) -> None:
        self.items: list[EmbedItem] = []
        self.stop_after = 10**9

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("slow:model", self.revision, self.dimensions, slow=True)

    def embed_chunks(self, items: Sequence[EmbedItem]) -> Vectors:
        if len(self.items) >= self.stop_after:
            raise KeyboardInterrupt
        self.items += items
        rows = np.array([[len(i.name), len(i.text), 1] for i in items], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str, *, weigh: Callable[[str], float] | None = None) -> Vectors:
        if self.broken:
            raise ModelUnavailable(self.broken, next="Start it.")
        return np.array([0, 0, 1][: self.dimensions], np.float32)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    model = Slow()
    monkeypatch.setattr(registry, "LOADERS", {**registry.LOADERS, "slow": lambda *_: model})
    return model


@pytest.fixture
def source(tmp_path: Path, home: Path) -> Path:
    for name, text in CODE.items():
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "code"


@pytest.fixture
def opened(source: Path) -> Iterator[Explorer]:
    explorer = Explorer.open(source)
    yield explorer
    explorer.close()


def answered_by(explorer: Explorer) -> tuple[str, set[str]]:
    trace = explorer.search("tax of a cart", SEMANTIC)
    found = trace.lists[Modality.SEMANTIC]
    assert isinstance(found, RankedList)
    assert found.hits
    assert trace.embedder == found.note
    return found.note, {w.type for w in trace.warnings}


def test_an_index_made_with_a_slow_model_is_answered_by_it_in_every_later_search(source: Path, slow: Slow) -> None:
    report = Explorer.index(source, embedder="slow:model")
    assert report.model == "slow:model"
    explorer = Explorer.open(source)
    assert answered_by(explorer) == (SLOW, set())
    assert explorer.reader.models == {"slow:model@1", "@".join(explorer.reader.base_model)}
    explorer.close()


def test_a_search_goes_on_while_better_vectors_are_made_and_then_uses_them(opened: Explorer, slow: Slow) -> None:
    seen: list[tuple[str, Progress]] = []
    before = opened.search("tax of a cart", SearchOptions(preset="thorough"))
    name = opened.upgrade("slow:model", progress=lambda p: seen.append((answered_by(opened)[0], p)))
    assert name == opened.model == "slow:model"
    assert {model for model, _ in seen} == {"bundled"}
    assert seen[-1][1] == Progress("embed", len(slow.items), len(slow.items))
    assert answered_by(opened)[0] == SLOW
    assert before.cards.items() <= opened.search("tax of a cart", SearchOptions(preset="thorough")).cards.items()


def test_unchanged_text_is_never_embedded_again(source: Path, slow: Slow) -> None:
    Explorer.index(source, embedder="slow:model")
    count = len(slow.items)
    Explorer.index(source, embedder="slow:model", force=True)
    assert len(slow.items) == count
    (source / "shop/tax.py").write_text("def tax_rate():\n    return 1.07\n")
    Explorer.index(source)  # the model of the index is kept without being named again
    assert [item.text for item in slow.items[count:]] == ["def tax_rate():\n    return 1.07\n"]


def test_what_was_embedded_before_an_interruption_is_kept(
    tmp_path: Path, home: Path, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maguyva_nb.index.vectors.SLOW_BATCH", 2)
    for i in range(6):
        (tmp_path / "many").mkdir(exist_ok=True)
        (tmp_path / "many" / f"m{i}.py").write_text(f"def work_{i}():\n    return {i}\n")
    slow.stop_after = 4
    with pytest.raises(KeyboardInterrupt):
        Explorer.index(tmp_path / "many", embedder="slow:model")
    explorer = Explorer.open(tmp_path / "many")
    assert explorer.model == "bundled"  # usable at once, and whole
    slow.stop_after = 10**9
    explorer.upgrade("slow:model")
    explorer.close()
    assert len(slow.items) == 6


def test_the_bundled_vectors_answer_with_a_warning_while_the_model_is_away(source: Path, slow: Slow) -> None:
    Explorer.index(source, embedder="slow:model")
    explorer = Explorer.open(source)
    slow.broken = "The server is down."
    assert answered_by(explorer) == ("bundled", {"model_unavailable"})
    warnings = explorer.search("tax of a cart", SEMANTIC).warnings
    assert "The server is down. The vectors of bundled answered instead. Start it." in warnings[0].message
    slow.broken = ""
    assert answered_by(explorer) == (SLOW, set())
    explorer.close()


@pytest.mark.parametrize(("attribute", "value"), [("revision", "2"), ("dimensions", 2)])
def test_vectors_of_another_model_are_never_compared(source: Path, slow: Slow, attribute: str, value: object) -> None:
    Explorer.index(source, embedder="slow:model")
    setattr(slow, attribute, value)
    explorer = Explorer.open(source)
    assert answered_by(explorer) == ("bundled", {"model_unavailable"})
    explorer.close()


def test_a_model_is_chosen_for_one_explorer_by_name(source: Path, slow: Slow) -> None:
    Explorer.index(source, embedder="slow:model")
    explorer = Explorer.open(source, model="bundled")
    assert answered_by(explorer)[0] == "bundled"
    assert explorer.upgrade("slow:model") == "slow:model"
    assert len(slow.items) == len([i for i in stored_items(explorer.reader) if i])
    explorer.close()


def test_the_share_of_the_base_is_a_setting_and_scores_are_the_blend(source: Path, slow: Slow, tmp_path: Path) -> None:
    Explorer.index(source, embedder="slow:model")
    lists = {}
    plain = Explorer.open(source, model="bundled")
    base = plain.search("tax of a cart", SEMANTIC).lists[Modality.SEMANTIC]
    assert isinstance(base, RankedList)
    plain.close()
    for share in (0.0, 0.25):
        config = tmp_path / "c.toml"
        config.write_text(f"[semantic]\nbase_share = {share}\n")
        explorer = Explorer.open(source, settings=load_settings(config))
        found = explorer.search("tax of a cart", SEMANTIC).lists[Modality.SEMANTIC]
        assert isinstance(found, RankedList)
        lists[share] = found
        explorer.close()
    alone, beside = ({h.chunk_id: h.score for h in one.hits} for one in (lists[0.0], base))
    assert lists[0.0].note == "slow:model"
    assert {h.chunk_id: h.score for h in lists[0.25].hits} == pytest.approx(
        {i: 0.75 * alone[i] + 0.25 * beside.get(i, 0.0) for i in alone}
    )


def test_going_back_to_the_bundled_model_is_one_command(source: Path, slow: Slow) -> None:
    Explorer.index(source, embedder="slow:model")
    Explorer.index(source, embedder="bundled")
    explorer = Explorer.open(source)
    assert (explorer.model, explorer.reader.meta["dimensions"]) == ("bundled", "256")
    explorer.close()


def test_the_embedder_of_the_settings_is_announced_until_it_answers(source: Path, slow: Slow, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[index]\nembedder = "slow:model"\n')
    explorer = Explorer.open(source, settings=load_settings(config))
    assert (explorer.pending, slow.items) == ("slow:model", [])
    assert answered_by(explorer) == ("bundled", {"model_pending"})
    explorer.upgrade()
    assert explorer.pending is None
    assert answered_by(explorer) == (SLOW, set())
    explorer.close()


def test_a_recorded_model_that_is_gone_is_told_before_anything_is_built(
    source: Path, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    Explorer.index(source, embedder="slow:model")

    def gone(*_: object) -> Slow:
        raise ModelUnavailable("It is gone.", next="Fetch it.")

    monkeypatch.setattr(registry, "LOADERS", {**registry.LOADERS, "slow": gone})
    with pytest.raises(ModelUnavailable, match=r"It is gone.*Or go back with --embedder bundled"):
        Explorer.index(source, force=True)
    explorer = Explorer.open(source)
    assert answered_by(explorer) == ("bundled", {"model_unavailable"})
    explorer.close()


def test_vectors_for_an_index_that_was_built_anew_meanwhile_are_not_mixed_in(opened: Explorer, slow: Slow) -> None:
    Explorer.index(opened.source, force=True)
    with pytest.raises(IndexOutdated, match="built anew"):
        opened.upgrade("slow:model")
    assert answered_by(opened)[0] == "bundled"


def test_a_cache_in_use_elsewhere_does_not_stop_the_work(opened: Explorer, slow: Slow) -> None:
    class Held(UserStore):
        def vectors(self, model: str, shas: Sequence[str]) -> dict[str, bytes]:
            raise StoreLocked("held", next="wait", pid=1)

        def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
            raise StoreLocked("held", next="wait", pid=1)

    upgrade_index(opened.reader, slow, cache=Held())
    assert "slow:model@1" in IndexReader(opened.reader.path).models


def test_an_item_says_what_and_where_a_chunk_is(opened: Explorer) -> None:
    items = {item.path: item for item in stored_items(opened.reader) if item}
    assert set(items) == {"shop/cart.py", "shop/tax.py"}
    assert items["shop/tax.py"].name == "tax_rate"
    assert items["shop/cart.py"].doc == "What a customer buys."
