"""What a transformer is given of a chunk: one line that says what and where it is, then the code."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import numpy as np

from maguyva_nb.embed.words import split_words
from maguyva_nb.protocols import EmbedItem, Vectors

# Goes into the revision of every model that reads passages: another form makes other vectors.
FORM = "1"
# Of documentation the first sentence: the rest stands in the code itself, and room is short.
_DOC_CHARS = 200
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s|\n\s*\n")
# Where a chunk defines many things, their names would crowd out the code.
_NAME_CHARS = 120


def passage(item: EmbedItem) -> str:
    """``path words: kind parent name. doc``, then the code; nothing for a chunk without text."""
    if not item.text.strip():
        return ""
    path = PurePosixPath(item.path)
    where = " ".join(split_words(" ".join(path.with_suffix("").parts)))
    what = " ".join(part for part in (item.kind, item.parent, item.name[:_NAME_CHARS]) if part)
    doc = " ".join(_SENTENCE_END.split(item.doc.strip(), maxsplit=1)[0].split())[:_DOC_CHARS]
    header = f"{where}: {what}." + (f" {doc}" if doc else "")
    return f"{header}\n{item.text}"


def unit_rows(matrix: Vectors) -> Vectors:
    """Each row at length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    out: Vectors = np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    return out
