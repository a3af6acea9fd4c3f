"""Is exact search exact? ``python tests/benchmarks/literal_recall.py FOLDER... [--literals 200] [--regexes 60]``.

Literals, with and without case, against ``grep -F [-i]``, and regular expressions against ``rg -P``, both on the PATH.
The literals are cut out of the codebase by a seed: names, any other piece, punctuation, one and two characters,
non-ASCII, quotes and backslashes, trailing blanks, marks of regular expressions, and some that occur nowhere.
Left out are files that are not UTF-8 and notebooks, and for regular expressions files with CR at line ends, where
``$`` of grep stands after the CR, and lines with combining marks, which are word characters or not by the version of
PCRE2. Without case, letters that Unicode folds into one (the Kelvin sign is a k) are more than grep finds. Exits with 1
when a line is missing or too many.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from maguyva_nb.engine import Explorer, SearchOptions
from maguyva_nb.types import Absent, Modality, SearchTrace

Line = tuple[str, int]
# Files a call: far from the limit of a command line.
BATCH = 1000
MARKS = ".*+?()[]{}|^$\\"
TEMPLATES = (
    *(
        r"\b{a}\b",
        r"{a}\(",
        r"\.{a}\b",
        r"^\s*{a}\b",
        r"{a}.*{b}",
        r"{a}|{b}",
        r"(?:{a}|{b})\w*",
        r"{a}(?!\w)",
        r"(?i){a}",
    ),
    *(
        r"(?<![\w.]){a}",
        r"{a}\s*[=:]",
        r"(?<=\W){a}(?=\W)",
        r"{a}?s?\b",
        r"[^\w]{a}\s*$",
        r"\b\w*{c}\w*\b",
        r"{c}+[a-z]",
    ),
)
FIXED = (
    *(r"^(?:import|from|use|package)\s+\S+", r"\bclass\s+[A-Z]\w*", r"\d+\.\d+", r"[A-Z]{3,}_[A-Z]+", r"^$", r"\s+$"),
    *(
        r"(\w+)\s*=\s*\1\b",
        r'"[^"]*"',
        r"\p{Lu}\p{Ll}+Error",
        r"[[:upper:]]{4,}",
        r"[^\x00-\x7F]",
        r"={i}",
        r"\t",
        r"^\S+$",
    ),
    *(
        r"TODO|FIXME|XXX",
        r"0x[0-9a-fA-F]+",
        r"\b(\w)\1\b",
        r"[({\[]$",
        r"(?:\w+\.){2,}\w+\(",
        r"^.{100,}$",
        r"\bif\b.*\bnot\b",
    ),
    *(
        r"\\n",
        r"'[^']{20,}'",
        r"https?:",
        r"a++b",
        r"(?>a+)b",
        r"(?<year>\d{4})-\d\d",
        r"\Q()\E",
        r"\x{2026}",
        r"\bnull\b|\bNone\b",
    ),
)


@dataclass
class Tally:
    """What one kind of query found."""

    queries: int = 0
    true: int = 0
    covered: int = 0
    named: int = 0
    false: int = 0
    times: list[float] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)

    def add(self, query: str, truth: set[Line], chunks: set[Line], lines: set[Line], seconds: float) -> None:
        """``chunks`` are the lines of all chunks found, ``lines`` those that the hits call matching."""
        self.queries += 1
        self.true += len(truth)
        self.covered += len(truth & chunks)
        self.named += len(truth & lines)
        self.false += len(lines - truth)
        self.times.append(seconds * 1e3)
        if lines != truth or not truth <= chunks:
            odd = sorted(lines ^ truth)[:1]
            self.bad.append(f"{query}   {len(truth - lines)} missing, {len(lines - truth)} false, such as {odd}")

    def line(self, name: str) -> str:
        p50, p95 = np.percentile(self.times or [0.0], [50, 95])
        shares = f"{self.covered / max(self.true, 1):.6f} in chunks, {self.named / max(self.true, 1):.6f} named"
        return (
            f"  {name:<22} {self.queries:>4} queries {self.true:>9} lines   {shares}, {self.false} false"
            f"   p50 {p50:.1f} ms p95 {p95:.1f} ms"
        )


def promised(explorer: Explorer) -> tuple[list[str], list[str]]:
    """The files of the promise, and those of them without CR."""
    rows = explorer.reader.rows("SELECT path, language, reason FROM idx.files WHERE status <> 'skipped' ORDER BY path")
    files = [path for path, language, why in rows if language != "jupyter" and not (why or "").startswith("decoded")]
    return files, [path for path in files if b"\r" not in (explorer.source / path).read_bytes()]


def literals(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """``count`` literals of eleven kinds in turn, no two alike."""
    rng = random.Random(seed)
    lines = [line for text in texts for line in text.split("\n") if line]
    odd = [line for line in lines if not line.isascii()] or lines
    hard = [line for line in lines if '"' in line or "\\" in line] or lines
    blank = [line for line in lines if " " in line.strip()] or lines
    kinds: list[Callable[[], str]] = [
        lambda: rng.choice(re.findall(r"\w+", rng.choice(lines)) or ["x"]),
        lambda: piece(rng, rng.choice(lines), rng.randint(3, 20)),
        lambda: rng.choice(re.findall(r"[^\w\s]+", rng.choice(lines)) or ["::"]),
        lambda: piece(rng, rng.choice(lines), 1),
        lambda: piece(rng, rng.choice(lines), 2),
        lambda: around(rng, rng.choice(odd), lambda c: not c.isascii()),
        lambda: around(rng, rng.choice(hard), lambda c: c in "\"'\\"),
        lambda: around(rng, rng.choice(blank).strip(), str.isspace).rstrip() + " ",
        lambda: around(rng, rng.choice(lines), MARKS.__contains__),
        lambda: piece(rng, rng.choice(lines), 8).swapcase(),
        lambda: rng.choice(lines),
    ]
    found: dict[str, None] = {}
    for attempt in range(count * 20):
        one = kinds[attempt % len(kinds)]()
        if one and "\0" not in one and "\r" not in one:
            found.setdefault(one)
        if len(found) == count:
            break
    return list(found)


def piece(rng: random.Random, line: str, size: int) -> str:
    """``size`` characters of a line from anywhere."""
    start = rng.randint(0, max(len(line) - size, 0))
    return line[start : start + size]


def around(rng: random.Random, line: str, wanted: Callable[[str], bool]) -> str:
    """A few characters around one of a kind."""
    places = [i for i, char in enumerate(line) if wanted(char)] or [0]
    at = rng.choice(places)
    return line[max(at - rng.randint(0, 4), 0) : at + rng.randint(1, 5)]


def patterns(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """The fixed patterns, then templates filled with names of the codebase."""
    rng = random.Random(seed)
    names = sorted({name for text in texts for name in re.findall(r"[A-Za-z_]\w{3,20}", text)})
    found = list(FIXED[:count])
    while len(found) < count:
        a, b = rng.sample(names, 2)
        found.append(TEMPLATES[len(found) % len(TEMPLATES)].format(a=a, b=b, c=a[:3]))
    return found


def combining(path: str, text: str) -> Iterator[Line]:
    """The lines with a combining mark."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isascii() and any(unicodedata.category(char).startswith("M") for char in line):
            yield path, number


def grep(folder: Path, files: Sequence[str], literal: str, *, ignore_case: bool) -> set[Line]:
    """What ``grep -F`` finds in a UTF-8 locale."""
    command = ["grep", "-naFHZ", *(["-i"] if ignore_case else []), "-e", literal, "--"]
    return set(_run(folder, files, command))


def ripgrep(folder: Path, files: Sequence[str], pattern: str) -> set[Line]:
    """What ``rg -P`` finds."""
    return set(
        _run(folder, files, ["rg", "--no-config", "-naHP0", "--no-heading", "--color=never", "-e", pattern, "--"])
    )


def _run(folder: Path, files: Sequence[str], command: list[str]) -> Iterator[Line]:
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    for start in range(0, len(files), BATCH):
        some = [f"./{path}" for path in files[start : start + BATCH]]
        ran = subprocess.run([*command, *some], cwd=folder, env=env, capture_output=True, check=False)
        if ran.returncode > 1:
            raise RuntimeError(f"{command}: {ran.stderr.decode()[:500]}")
        for row in ran.stdout.split(b"\n")[:-1]:
            path, _, rest = row.partition(b"\0")
            yield os.fsdecode(path)[2:], int(rest.partition(b":")[0])


def asked(explorer: Explorer, query: str, *, ignore_case: bool = False) -> tuple[SearchTrace, float]:
    """The text list of a query, and the seconds it took."""
    started = time.perf_counter()
    trace = explorer.search(query, SearchOptions(modality=Modality.TEXT, ignore_case=ignore_case))
    return trace, time.perf_counter() - started


def found_lines(trace: SearchTrace, files: Iterable[str]) -> tuple[set[Line], set[Line]]:
    """``(lines of the chunks found, lines called matching)`` in the given files."""
    wanted = set(files)
    one = trace.lists[Modality.TEXT]
    if isinstance(one, Absent):
        raise RuntimeError(f"{trace.query.raw}: {one.message}")
    chunks: set[Line] = set()
    lines: set[Line] = set()
    for hit in one.hits:
        card = trace.cards[hit.chunk_id]
        if card.path in wanted:
            chunks.update((card.path, line) for line in range(card.start_line, card.end_line + 1))
            lines.update((card.path, line) for first, last in hit.lines for line in range(first, last + 1))
    return chunks, lines


def quoted(literal: str) -> str:
    """The query for a literal."""
    return '"' + literal.replace('"', '\\"') + '"'


def measure(explorer: Explorer, args: argparse.Namespace) -> bool:
    """Prints one codebase's figures; True when all is exact."""
    files, without_cr = promised(explorer)
    texts = [explorer.reader.file_text(path) for path in files]
    tallies = {"literal": Tally(), "literal, ignore case": Tally(), "regex": Tally()}
    for literal in literals(texts, args.literals, args.seed):
        for name, ignore_case in (("literal", False), ("literal, ignore case", True)):
            trace, seconds = asked(explorer, quoted(literal), ignore_case=ignore_case)
            truth = grep(explorer.source, files, literal, ignore_case=ignore_case)
            tallies[name].add(repr(literal), truth, *found_lines(trace, files), seconds)
    marked = {line for path, text in zip(files, texts, strict=True) for line in combining(path, text)}
    for pattern in patterns(texts, args.regexes, args.seed):
        trace, seconds = asked(explorer, f"/{pattern}/")
        truth = ripgrep(explorer.source, without_cr, pattern)
        chunks, lines = found_lines(trace, without_cr)
        tallies["regex"].add(pattern, truth - marked, chunks - marked, lines - marked, seconds)
    print(f"{explorer.source}: {len(files)} files, {len(explorer.reader.chunks)} chunks")
    for name, tally in tallies.items():
        print(tally.line(name))
        for bad in tally.bad[: args.show]:
            print(f"    {bad}")
    return all(tally.named == tally.covered == tally.true and not tally.false for tally in tallies.values())


def main() -> int:
    """Measures every folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--literals", type=int, default=200)
    parser.add_argument("--regexes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=5, help="queries to name that were not exact")
    args = parser.parse_args()
    missing = [tool for tool in ("grep", "rg") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"Not on the PATH: {', '.join(missing)}")
    exact = True
    for folder in args.folders:
        with tempfile.TemporaryDirectory() as scratch:
            db = Path(scratch) / "index.duckdb"
            Explorer.index(folder, db=db)
            explorer = Explorer.open(folder, db=db)
            exact &= measure(explorer, args)
            explorer.close()
    return 0 if exact else 1


if __name__ == "__main__":
    sys.exit(main())
