"""How long indexing takes beside bare parsing of the same files: ``bench_index.py FOLDER...``."""

from __future__ import annotations

import argparse
import dataclasses
import resource
import sys
import tempfile
import time
from pathlib import Path

from maguyva_nb.config import Settings, load_settings
from maguyva_nb.embed.registry import load_embedder
from maguyva_nb.index.build import build_index
from maguyva_nb.index.grammar import parse_tree
from maguyva_nb.index.languages import language, language_of
from maguyva_nb.index.walk import walk
from maguyva_nb.protocols import Embedder


def bare_parse(folder: Path, settings: Settings) -> tuple[int, int, float]:
    """``(files, bytes, seconds)`` of parsing, and nothing else, whatever has a grammar; one thread, grammars loaded."""
    sources = []
    for found in walk(folder, max_bytes=settings.index.max_bytes).files:
        data = Path(found.real).read_bytes()
        row = language(language_of(found.path, data[:4096]) or "")
        if row is not None and row.grammar is not None:
            sources.append((row.grammar, data))
    for grammar in {grammar for grammar, _ in sources}:
        parse_tree(grammar, b"")
    begun = time.perf_counter()
    for grammar, data in sources:
        parse_tree(grammar, data)
    return len(sources), sum(len(data) for _, data in sources), time.perf_counter() - begun


def measure(folder: Path, settings: Settings, embedder: Embedder) -> None:
    """Prints the figures of one codebase."""
    files, size, parsing = bare_parse(folder, settings)
    print(f"{folder}: {files} files with a grammar, {size / 1e6:.2f} MB, bare parse {parsing:.2f} s")
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "index.duckdb"
        report = build_index(folder, target, settings=settings, embedder=embedder)
        stages = "  ".join(f"{name} {seconds:.2f}" for name, seconds in report.stages.items())
        print(f"  {report.files} files, {report.chunks} chunks, {report.symbols} symbols, {report.edges} edges")
        print(
            f"  {report.call_sites} call sites, {report.resolved} resolved; {target.stat().st_size / 1e6:.1f} MB index"
        )
        print(f"  {report.seconds:.2f} s ({stages}): {report.seconds / parsing:.1f} x bare parse")
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"  peak memory {own / 1024:.0f} MB, largest worker {children / 1024:.0f} MB")


def main() -> int:
    """Measures each folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, default=0, help="processes; 1 runs all in this one")
    args = parser.parse_args()
    settings = load_settings()
    settings = dataclasses.replace(settings, index=dataclasses.replace(settings.index, workers=args.workers))
    embedder = load_embedder("bundled")
    for folder in args.folders:
        measure(folder, settings, embedder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
