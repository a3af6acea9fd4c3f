"""Embedding services through litellm: ``PROVIDER/MODEL`` of a hosted service, or of a server of one's own."""

from __future__ import annotations

import hashlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from maguyva_nb.config import EmbedSettings
from maguyva_nb.embed.passage import FORM, passage, unit_rows
from maguyva_nb.errors import MissingExtra, ModelUnavailable
from maguyva_nb.protocols import EmbedItem, ModelInfo, Vectors

SCHEME = "litellm"
# Statuses after which the same request may succeed: timeout, too many requests, the server's own trouble.
PASSING = frozenset({408, 409, 429, 500, 502, 503, 504})
# Seconds before trying again, doubled each time.
PAUSE_S = 0.5
# A token of code is about 3 characters; what is past the limit is not even sent.
_CHARS_A_TOKEN = 4
_REVISION_DIGITS = 12
# Known without loading litellm, which takes seconds; of other providers litellm is asked.
KEYS = {
    "cohere": "COHERE_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "jina_ai": "JINA_AI_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "openai": "OPENAI_API_KEY",
    "voyage": "VOYAGE_API_KEY",
}


class _Never(int):
    """No retries, in a form that litellm takes at its word: for embeddings it reads a plain 0 as "not given" (so 2)."""

    def __bool__(self) -> bool:
        return True


class LiteLLMEmbedder:
    """Unit vectors from a service, asked nothing before the first text; each failure is ``ModelUnavailable``."""

    def __init__(self, argument: str, settings: EmbedSettings) -> None:
        if find_spec("litellm") is None:
            raise MissingExtra("litellm", "embed")
        self._model = model_string(argument)
        self._name = f"{SCHEME}:{self._model}"
        key = KEYS.get(self._model.partition("/")[0], "")
        if key and not settings.api_base and not os.environ.get(key):
            raise _lacks(self._name, [key])
        self._settings = settings
        parts = (FORM, self._model, settings.api_base, settings.max_tokens, settings.passage_prefix)
        self._revision = hashlib.sha256(repr(parts).encode()).hexdigest()[:_REVISION_DIGITS]
        self._dimensions = 0
        self._lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        """``litellm:PROVIDER/MODEL``; its dimensions are known after the first answer."""
        return ModelInfo(self._name, self._revision, self._dimensions, slow=True)

    def embed_chunks(self, items: Sequence[EmbedItem]) -> Vectors:
        """``(len(items), dimensions)`` float32 rows of unit length; a chunk without text has a zero row."""
        limit = self._settings.max_tokens * _CHARS_A_TOKEN
        texts = [text and (self._settings.passage_prefix + text)[:limit] for text in map(passage, items)]
        asked = [i for i, text in enumerate(texts) if text]
        rows: list[list[float]] = []
        for start in range(0, len(asked), self._settings.batch):
            batch = [texts[i] for i in asked[start : start + self._settings.batch]]
            rows += self._ask(batch, timeout=self._settings.timeout_s, retries=self._settings.retries)
        out = np.zeros((len(texts), self._dimensions), np.float32)
        if asked:
            out[asked] = np.array(rows, np.float32)
        return unit_rows(out)

    def embed_query(self, text: str, *, weigh: Callable[[str], float] | None = None) -> Vectors:
        """``(dimensions,)`` float32 of unit length, zero for an empty query; ``weigh`` is not used."""
        del weigh
        if not text.strip():
            return np.zeros(self._dimensions, np.float32)
        rows = self._ask([self._settings.query_prefix + text], timeout=self._settings.query_timeout_s, retries=0)
        row: Vectors = unit_rows(np.array(rows, np.float32))[0]
        return row

    def _ask(self, texts: Sequence[str], *, timeout: float, retries: int) -> list[list[float]]:
        """One request, sent again where that can help; litellm's own retries hide the reason of a failure."""
        package = _package()
        extra = _access(package, self._model, self._settings, self._name)
        for attempt in range(retries + 1):
            try:
                answer = package.embedding(
                    model=self._model,
                    input=list(texts),
                    timeout=timeout,
                    max_retries=_Never(0),
                    encoding_format="float",
                    **extra,
                )
                return self._checked(_vectors(answer), len(texts))
            except ModelUnavailable:
                raise
            except Exception as error:
                if attempt == retries or getattr(error, "status_code", None) not in PASSING:
                    raise self._trouble(error, timeout) from error
                time.sleep(PAUSE_S * 2**attempt)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _checked(self, rows: list[list[float]], wanted: int) -> list[list[float]]:
        sizes = {len(row) for row in rows}
        with self._lock:
            known = self._dimensions or next(iter(sizes), 0)
            if len(rows) != wanted or sizes != {known} or not known:
                said = f"{len(rows)} vectors of {', '.join(map(str, sorted(sizes)))} dimensions"
                raise self._unavailable(f"it answered {wanted} texts with {said}, not with {wanted} of {known}")
            self._dimensions = known
        if not np.isfinite(np.array(rows, np.float32)).all():
            raise self._unavailable("it answered with numbers that are not finite")
        return rows

    def _trouble(self, error: Exception, timeout: float) -> ModelUnavailable:
        status = getattr(error, "status_code", None)
        text = str(error).strip().splitlines()
        first = text[0][:200].rstrip(".") if text else type(error).__name__
        if type(error).__name__ == "Timeout":
            first = f"no answer within {timeout:g} s"
        return self._unavailable(f"{first}{f' (status {status})' if status else ''}")

    def _unavailable(self, reason: str) -> ModelUnavailable:
        where = f" at {self._settings.api_base}" if self._settings.api_base else ""
        return ModelUnavailable(
            f"The embedder {self._name}{where} cannot be used: {reason}.",
            next="Check the service, its key and [embed] api_base, or use the embedder 'bundled'.",
        )


def model_string(argument: str) -> str:
    """``provider/model``; ``provider:model`` is understood as well (a tag after the model stays as it is)."""
    provider, colon, model = argument.partition(":")
    text = f"{provider}/{model}" if colon and "/" not in provider else argument
    if not all(text.partition("/")[::2]):
        raise ModelUnavailable(
            f"{SCHEME}:{argument} names no provider and model.", next=f"Write {SCHEME}:PROVIDER/MODEL."
        )
    return text


def _package() -> Any:
    # Without it the import itself asks the network for a list of prices.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    # Dozens of them about its own types, some at the import and some at the first request.
    warnings.filterwarnings("ignore", message=r".*using the `ReadOnly` qualifier", category=UserWarning)
    package: Any = import_module("litellm")
    package.suppress_debug_info = True
    package.telemetry = False
    return package


def _access(package: Any, model: str, settings: EmbedSettings, name: str) -> dict[str, str]:
    """Address and key of a request; a missing key is told here, where litellm would call it a fault of the server."""
    missing = package.validate_environment(model)["missing_keys"]
    if not settings.api_base:
        if missing:
            raise _lacks(name, missing)
        return {}
    return {"api_base": settings.api_base, **({"api_key": "none"} if missing else {})}


def _lacks(name: str, missing: Sequence[str]) -> ModelUnavailable:
    return ModelUnavailable(
        f"The embedder {name} needs {' and '.join(missing)} in the environment.",
        next="Set it, or give the address of a server of your own as api_base under [embed].",
    )


def _vectors(answer: Any) -> list[list[float]]:
    rows = sorted(answer.data, key=lambda row: int(row["index"]))
    return [list(map(float, row["embedding"])) for row in rows]
