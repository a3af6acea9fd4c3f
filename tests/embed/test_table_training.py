"""The tools that train the table: pairs without the answer in them, and gradients that are true."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

TOOLS = Path(__file__).parents[2] / "tools"
SOURCE = '''
class Store:
    def read_rows(self, path, limit):
        """Reads the first rows of a table.

        Rows past the limit are left in place.
        """
        # the header is no row
        return self.parse(path.open().read().splitlines()[1:limit])
'''


@pytest.fixture(autouse=True)
def _tools_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    if not TOOLS.is_dir():
        pytest.skip("the tools are part of the source repository alone")
    monkeypatch.syspath_prepend(str(TOOLS))


def tool(name: str) -> Any:
    return importlib.import_module(name)


def test_a_pair_has_the_comment_apart_from_the_code() -> None:
    pairs = {pair.name: pair for pair in tool("embedder_pairs")._of_file("demo", "python", "a/b/c/d/store.py", SOURCE)}
    pair = pairs["Store read_rows"]
    assert pair.said == "Reads the first rows of a table."
    assert "left in place" in pair.rest
    assert pair.path == "b/c/d/store.py"
    assert "first rows" not in pair.body
    assert "left in place" not in pair.body
    assert "the header is no row" in pair.body


@pytest.mark.parametrize("doc", ["Copyright 2020 by many people", "Too short", "@param x the number of rows", ""])
def test_a_comment_that_describes_nothing_makes_no_question(doc: str) -> None:
    assert tool("embedder_pairs")._described(doc) == ("", "")


def test_gradients_agree_with_small_steps() -> None:
    train, examples = tool("embedder_train"), tool("embedder_examples")
    random = np.random.default_rng(7)
    model = train.Model.start(random.normal(size=(12, 5)).astype(np.float32))
    model.question += random.normal(size=12).astype(np.float32) / 4
    model.temperature[:] = 0.0

    def bags() -> Any:
        ids = random.integers(0, 12, 18).astype(np.int32)
        return examples.Bags(ids, random.uniform(0.5, 2, 18).astype(np.float32), np.arange(0, 19, 3))

    same = np.zeros((6, 6), bool)
    same[1, 4] = same[4, 1] = True
    batch = examples.Batch(bags(), bags(), same)
    _, gradients = train.learn(model, batch)
    for part, gradient in zip(model.parts(), gradients, strict=True):
        for place in list(np.ndindex(part.shape))[::7]:
            before, step = part[place], np.float32(1e-2)
            part[place] = before + step
            above, _ = train.learn(model, batch)
            part[place] = before - step
            below, _ = train.learn(model, batch)
            part[place] = before
            assert (above - below) / (2 * step) == pytest.approx(gradient[place], abs=2e-3)


def test_one_seed_draws_the_same_batches() -> None:
    examples, pairs, words = (
        tool("embedder_examples"),
        tool("embedder_pairs"),
        importlib.import_module("maguyva_nb.embed.words"),
    )
    text = "alpha beta gamma delta epsilon zeta eta theta"
    made = [
        pairs.Pair(f"package{n // 64}", "python", f"a{n}.py", "alpha", f"beta {n} gamma", "", text)
        for n in range(64 * examples.PACKAGES)
    ]
    source = examples.Examples(made, words.WordRows(text.split()))
    drawn = [next(source.batches(1, seed)) for seed in (3, 3, 4)]
    np.testing.assert_array_equal(drawn[0].code.ids, drawn[1].code.ids)
    assert drawn[0].code.ids.tolist() != drawn[2].code.ids.tolist()
