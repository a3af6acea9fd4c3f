"""Embedders by name: ``bundled``, or ``SCHEME:ARGUMENT`` for adapters that need one."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import cache

from maguyva_nb.embed.bundled import BundledEmbedder
from maguyva_nb.errors import ModelUnavailable
from maguyva_nb.protocols import Embedder


def load_embedder(name: str) -> Embedder:
    """The embedder of a name; raises ``ModelUnavailable`` with the nearest known name."""
    scheme, _, argument = name.partition(":")
    loader = LOADERS.get(scheme)
    if loader is None:
        nearest = difflib.get_close_matches(scheme, LOADERS, n=1, cutoff=0.5)
        offer = f"Did you mean {nearest[0]!r}?" if nearest else f"Known are: {', '.join(sorted(LOADERS))}."
        raise ModelUnavailable(f"There is no embedder named {name!r}.", next=offer)
    return loader(argument)


@cache
def _bundled(argument: str) -> BundledEmbedder:
    """Made once: all who use it share its cache of identifiers."""
    if argument:
        what = f"The bundled embedder takes no argument, but {argument!r} was given."
        raise ModelUnavailable(what, next="Write just 'bundled'.")
    return BundledEmbedder()


LOADERS: Mapping[str, Callable[[str], Embedder]] = {"bundled": _bundled}
