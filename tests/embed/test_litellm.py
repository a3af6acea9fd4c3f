"""Embedding services through litellm, against a real server on this machine: good days and bad ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from server import Service, serving, vector

from maguyva_nb.config import EmbedSettings, load_settings
from maguyva_nb.embed import litellm as adapter
from maguyva_nb.embed.litellm import LiteLLMEmbedder
from maguyva_nb.embed.passage import passage
from maguyva_nb.embed.registry import canonical_name, load_embedder
from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.errors import MissingExtra, ModelUnavailable
from maguyva_nb.protocols import EmbedItem

pytest.importorskip("litellm", reason="the extra 'embed' is not installed")

ITEMS = [EmbedItem(f"src/m{i}.py", f"work_{i}", "", "function", "", f"def work_{i}(): pass\n") for i in range(5)]
BLANK = EmbedItem("src/m.py", "", "", "text", "", "\n")


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(adapter, "PAUSE_S", 0.0)
    for key in adapter.KEYS.values():
        monkeypatch.delenv(key, raising=False)
    with serving() as one:
        yield one


def settings(service: Service, **changes: object) -> EmbedSettings:
    return replace(load_settings().embed, api_base=service.url, batch=2, **changes)  # type: ignore[arg-type]


def embedder(service: Service, **changes: object) -> LiteLLMEmbedder:
    return LiteLLMEmbedder("openai/tiny", settings(service, **changes))


def unit(text: str, dimensions: int = 8) -> np.ndarray:
    row = np.array(vector(text, dimensions), np.float32)
    return row / np.linalg.norm(row)


def test_chunks_go_in_batches_and_come_back_as_unit_rows_in_order(service: Service) -> None:
    one = embedder(service)
    assert (one.info.name, one.info.dimensions, service.requests) == ("litellm:openai/tiny", 0, [])
    rows = one.embed_chunks([*ITEMS[:3], BLANK, *ITEMS[3:]])
    assert [len(request["input"]) for request in service.requests] == [2, 2, 1]
    assert {request["path"] for request in service.requests} == {"/v1/embeddings"}
    assert not rows[3].any()
    for row, item in zip(np.delete(rows, 3, axis=0), ITEMS, strict=True):
        assert row == pytest.approx(unit(passage(item)), abs=1e-6)
    assert one.info.dimensions == 8


def test_a_query_is_one_request_and_an_empty_one_none(service: Service) -> None:
    one = embedder(service, query_prefix="query: ")
    assert one.embed_query("sum of two", weigh=lambda _: 0.0) == pytest.approx(unit("query: sum of two"), abs=1e-6)
    assert not one.embed_query("  ").any()
    assert len(service.requests) == 1


def test_a_server_of_ones_own_needs_no_key_and_gets_the_users_where_there_is_one(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder(service).embed_query("a")
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    embedder(service).embed_query("a")
    assert service.keys == ["Bearer none", "Bearer mine"]


def test_long_code_is_cut_before_it_is_sent(service: Service) -> None:
    embedder(service, max_tokens=10).embed_chunks([replace(ITEMS[0], text="x" * 1000)])
    assert len(service.requests[0]["input"][0]) == 40


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_that_passes_is_tried_again(service: Service, status: int) -> None:
    service.answers = [status, status]
    assert embedder(service, retries=2).embed_chunks(ITEMS[:1]).any()
    assert len(service.requests) == 3


@pytest.mark.parametrize(("status", "requests"), [(500, 3), (429, 3), (400, 1), (401, 1), (404, 1)])
def test_trouble_that_stays_is_an_error_with_its_reason(service: Service, status: int, requests: int) -> None:
    service.answers = [status] * 9
    with pytest.raises(ModelUnavailable, match=rf"litellm:openai/tiny at {service.url}.*no luck.*status {status}"):
        embedder(service, retries=2).embed_chunks(ITEMS[:1])
    assert len(service.requests) == requests


def test_a_query_is_never_tried_again_because_somebody_waits(service: Service) -> None:
    service.answers = [500]
    with pytest.raises(ModelUnavailable):
        embedder(service).embed_query("a")
    assert len(service.requests) == 1


def test_a_server_that_does_not_answer_is_given_up_in_time(service: Service) -> None:
    service.answers = ["hang"]
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 s"):
        embedder(service, query_timeout_s=0.2).embed_query("a")


def test_a_refused_connection_is_told(service: Service) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = replace(service, url=f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    with pytest.raises(ModelUnavailable, match="Connection error"):
        embedder(closed, retries=1).embed_chunks(ITEMS[:1])


@pytest.mark.parametrize("answer", [{"dimensions": 5}, {"keep": 1}, {"keep": 0}])
def test_an_answer_of_another_size_is_refused(service: Service, answer: dict[str, int]) -> None:
    one = embedder(service)
    one.embed_query("a")
    service.answers = [answer]
    with pytest.raises(ModelUnavailable, match="it answered 2 texts with"):
        one.embed_chunks(ITEMS[:2])
    assert one.info.dimensions == 8


def test_a_missing_key_is_told_before_anything_is_loaded_or_sent(service: Service) -> None:
    with pytest.raises(ModelUnavailable, match="needs OPENAI_API_KEY in the environment"):
        LiteLLMEmbedder("openai/text-embedding-3-small", load_settings().embed)
    with pytest.raises(ModelUnavailable, match="needs TOGETHERAI_API_KEY"):
        LiteLLMEmbedder("together_ai/some-model", load_settings().embed).embed_query("a")


@pytest.mark.parametrize("name", ["litellm:", "litellm:justmodel", "litellm:openai/", "litellm:/model"])
def test_a_name_without_provider_and_model_is_refused(name: str) -> None:
    with pytest.raises(ModelUnavailable, match="litellm:PROVIDER/MODEL"):
        load_embedder(name)


def test_a_colon_after_the_provider_is_a_slash_and_one_after_the_model_stays() -> None:
    assert canonical_name("litellm:openai:tiny") == "litellm:openai/tiny"
    assert canonical_name("litellm:ollama/qwen2:0.5b") == "litellm:ollama/qwen2:0.5b"


def test_without_the_package_the_extra_is_named(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"maguyva-nb\[embed\]"):
        embedder(service)


def test_index_and_search_end_to_end_with_the_server_down_in_between(
    service: Service, tmp_path: Path, home: Path
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("def shortest(graph):\n    return graph\n")
    chosen = load_settings()
    chosen = replace(chosen, embed=settings(service, query_timeout_s=2.0))
    assert Explorer.index(code, settings=chosen, embedder="litellm:openai/tiny").model == "litellm:openai/tiny"
    explorer = Explorer.open(code, settings=chosen)
    assert explorer.search("shortest path", SearchOptions(preset="quick")).embedder == "litellm:openai/tiny + bundled"
    service.answers = [500]
    trace = explorer.search("shortest path", SearchOptions(preset="quick"))
    assert (trace.embedder, [w.type for w in trace.warnings]) == ("bundled", ["model_unavailable"])
    assert trace.results
    assert explorer.search("shortest path", SearchOptions(preset="quick")).embedder == "litellm:openai/tiny + bundled"
    explorer.close()
