"""Which embedders are here, and how to have others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from maguyva_nb.embed.registry import BUNDLED, load_embedder

# What each kind of name is for, in the order of least effort.
HOW = {
    BUNDLED: "ships with the package; needs nothing",
    "fastembed:NAME": "a model of fastembed's list; index PATH --embedder fastembed:NAME --download fetches it once",
    "fastembed:FOLDER": "a folder of yours with model.onnx, tokenizer.json and tokenizer_config.json",
    "litellm:PROVIDER/MODEL": "a service with a key in the environment, or your own server: [embed] api_base",
}
EXTRA = 'pip install "maguyva-nb[embed]"'


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One embedder that can be used at once; ``revision`` is empty for one that was not loaded to look."""

    name: str
    revision: str
    dimensions: int
    note: str


def usable_models() -> list[ModelRow]:
    """The bundled embedder, then the models of fastembed that are on this machine."""
    info = load_embedder(BUNDLED).info
    rows = [ModelRow(info.name, info.revision, info.dimensions, "in the package")]
    if find_spec("fastembed") is not None:
        from maguyva_nb.embed.fastembed import cached_models

        rows += [ModelRow(f"fastembed:{name}", "", size, f"{gb:g} GB") for name, size, gb in cached_models()]
    return rows


def missing_packages() -> list[str]:
    """Packages of the extra ``embed`` that are not installed."""
    return [name for name in ("fastembed", "litellm") if find_spec(name) is None]
