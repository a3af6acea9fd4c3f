"""The sections of the settings, one dataclass each; what each key means stands beside its default in defaults.toml."""

from __future__ import annotations

from dataclasses import dataclass

from maguyva_nb.types import FusionSettings, Modality


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """``[index]``"""

    max_bytes: int
    minified_line: int
    workers: int
    parallel_from_bytes: int
    embedder: str


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """``[chunk]``, all in lines."""

    max_lines: int
    line_window: int
    merge_lines: int
    merge_up_to: int
    whole_container: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """``[search]``"""

    preset: str
    profile: str
    rules: str
    top: int
    depth: int
    direct_confidence: float
    max_query: int
    timeout_s: float
    expand_spanish: bool


@dataclass(frozen=True, slots=True)
class Preset:
    """Which modalities run, and the k of their fusion."""

    modalities: tuple[Modality, ...]
    k: int


@dataclass(frozen=True, slots=True)
class FusionDefaults:
    """``[fusion]``; ``max_per_file`` 0 means no limit."""

    boost_weight: float
    boost_cap: float
    centrality_scale: str
    max_per_file: int
    demote: bool
    file_decay: float

    def settings(self, k: int, max_per_file: int | None = None) -> FusionSettings:
        """These defaults for one search; ``max_per_file`` overrides, 0 is no limit."""
        limit = self.max_per_file if max_per_file is None else max_per_file
        return FusionSettings(
            k, self.boost_weight, self.boost_cap, self.centrality_scale, limit or None, self.demote, self.file_decay
        )


@dataclass(frozen=True, slots=True)
class TextSettings:
    """``[text]``: BM25 over fields, and the share of trigrams."""

    k1: float
    b: float
    name: float
    path: float
    doc: float
    body: float
    trigram_share: float


@dataclass(frozen=True, slots=True)
class StructuralSettings:
    """``[structural]``: weights of what a symbol can match by."""

    exact: float
    qualified: float
    folded: float
    name: float
    signature: float
    doc: float
    body: float
    kind: float


@dataclass(frozen=True, slots=True)
class EmbedSettings:
    """``[embed]``: models beside the bundled one; ``threads`` 0 leaves it to the runtime."""

    download: bool
    max_tokens: int
    threads: int
    pooling: str
    multilingual: bool
    query_prefix: str
    passage_prefix: str
    api_base: str
    batch: int
    timeout_s: float
    query_timeout_s: float
    retries: int


@dataclass(frozen=True, slots=True)
class SemanticSettings:
    """``[semantic]``: the share of the base beside a better model, and sign codes as a first pass over many chunks."""

    base_share: float
    binary: bool
    binary_from: int
    oversample: int


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """``[graph]``: personalised PageRank where the query names no symbol."""

    seeds: int
    damping: float
    iterations: int


@dataclass(frozen=True, slots=True)
class AppSettings:
    """``[app]``: how much the explorer draws before it is asked for more."""

    top: int
    list_rows: int
    first_rows: int
    impact_nodes: int
    code_margin: int
    code_step: int
    highlight_chars: int


@dataclass(frozen=True, slots=True)
class EvaluateSettings:
    """``[evaluate]``: how many results count, and how sure a figure must be."""

    top: int
    resamples: int
    permutations: int
    confidence: float
    significance: float
    seed: int


@dataclass(frozen=True, slots=True)
class PathMarkers:
    """``[paths]``: folder names, whole, that mark a file."""

    vendor: tuple[str, ...]
    build: tuple[str, ...]
    archive: tuple[str, ...]
    test: tuple[str, ...]
