"""Names kept for plugins written against version 0.3, which used camelCase."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .parser import merge_sections, parse_config


def parseConfig(source: str | Path, overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Old entry point for plugins: accepts a path or the text itself.

    Unlike the modern function it reads the process environment and lays
    `overrides` over the result, because plugins of that time relied on both.
    """
    _warn_once("parseConfig", "parse_config")
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    parsed = parse_config(text, os.environ)
    return merge_sections(parsed, overrides or {})


def getSetting(tree: Mapping[str, Any], dotted: str, default: Any = None) -> Any:
    """Look up a dotted key such as ``net.carriers.swiftpost`` in a parsed tree."""
    _warn_once("getSetting", "load_settings")
    node: Any = tree
    for part in dotted.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return default
        node = node[part]
    return node


_warned: set[str] = set()


def _warn_once(old: str, new: str) -> None:
    """Tell a plugin's author about the new name, once per process."""
    if old in _warned:
        return
    _warned.add(old)
    warnings.warn(f"{old} is kept for old plugins; use {new}", DeprecationWarning, stacklevel=3)
