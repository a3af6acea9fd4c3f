"""Embedders by name: ``bundled``, ``fastembed:NAME``, ``fastembed:FOLDER``, ``litellm:PROVIDER/MODEL``."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import cache

from maguyva_nb.config import EmbedSettings, load_settings
from maguyva_nb.embed.bundled import BundledEmbedder
from maguyva_nb.errors import ModelUnavailable
from maguyva_nb.protocols import Embedder

BUNDLED = "bundled"


def load_embedder(name: str, settings: EmbedSettings | None = None) -> Embedder:
    """The embedder of a name; raises ``ModelUnavailable`` with the nearest known name, or with what it lacks."""
    scheme, _, argument = name.partition(":")
    loader = LOADERS.get(scheme)
    if loader is None:
        nearest = difflib.get_close_matches(scheme, LOADERS, n=1, cutoff=0.5)
        offer = f"Did you mean {nearest[0]!r}?" if nearest else f"Known are: {', '.join(sorted(LOADERS))}."
        raise ModelUnavailable(f"There is no embedder named {name!r}.", next=offer)
    return loader(argument, settings or load_settings().embed)


def canonical_name(name: str) -> str:
    """The name under which an index knows an embedder: that of a folder whole, wherever it is said from."""
    scheme, _, argument = name.partition(":")
    if scheme == "fastembed":
        from maguyva_nb.embed.fastembed import folder_of

        folder = folder_of(argument)
        return name if folder is None else f"{scheme}:{folder}"
    if scheme == "litellm":
        from maguyva_nb.embed.litellm import model_string

        return f"{scheme}:{model_string(argument)}"
    return name


@cache
def _table() -> BundledEmbedder:
    """Made once: all who use it share its cache of identifiers."""
    return BundledEmbedder()


def _bundled(argument: str, _: EmbedSettings) -> BundledEmbedder:
    if argument:
        what = f"The bundled embedder takes no argument, but {argument!r} was given."
        raise ModelUnavailable(what, next="Write just 'bundled'.")
    return _table()


@cache
def _fastembed(argument: str, settings: EmbedSettings) -> Embedder:
    """Made once: a model in memory is a hundred megabytes and more."""
    from maguyva_nb.embed.fastembed import FastEmbedder

    return FastEmbedder(_named(argument, "fastembed", "NAME or fastembed:FOLDER"), settings)


@cache
def _litellm(argument: str, settings: EmbedSettings) -> Embedder:
    from maguyva_nb.embed.litellm import LiteLLMEmbedder

    return LiteLLMEmbedder(_named(argument, "litellm", "PROVIDER/MODEL"), settings)


def _named(argument: str, scheme: str, form: str) -> str:
    if not argument.strip():
        raise ModelUnavailable(f"The embedder {scheme!r} needs the name of a model.", next=f"Write {scheme}:{form}.")
    return argument


LOADERS: Mapping[str, Callable[[str, EmbedSettings], Embedder]] = {
    BUNDLED: _bundled,
    "fastembed": _fastembed,
    "litellm": _litellm,
}
