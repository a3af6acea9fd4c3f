"""The arguments of every command, and how those of a search become ``SearchOptions``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import NoReturn

from maguyva_nb.config import LARGEST, RULE_TABLES
from maguyva_nb.errors import UsageError
from maguyva_nb.route import SearchOptions
from maguyva_nb.samples import sample_path
from maguyva_nb.types import Intent, Modality
from maguyva_nb.wire import error_json

HELP = {
    "demo": "index the sample codebase and answer four questions",
    "app": "open the explorer in a browser",
    "doctor": "check the installation, the index and the user's data",
    "profiles": "print every weight profile",
    "models": "list the embedders, and how to add one",
    "index": "make or refresh the index of a codebase",
    "search": "answer a question (indexes first when there is no index)",
    "classify": "say what a query wants, and which rule says so",
    "impact": "what breaks if a symbol changes",
    "evaluate": "measure search against queries with known answers",
}


class _JsonParser(argparse.ArgumentParser):
    """Prints what is wrong as JSON too; the parsers of its commands are of its class."""

    def error(self, message: str) -> NoReturn:
        print(json.dumps(error_json(UsageError(message, next=f"See: {self.prog} --help")), ensure_ascii=False))
        super().error(message)


def build_parser(commands: Collection[str], version: str, *, as_json: bool = False) -> argparse.ArgumentParser:
    """The parser of all commands; ``as_json`` prints wrong usage as JSON on stdout besides."""
    parser = (_JsonParser if as_json else argparse.ArgumentParser)(
        prog="maguyva-nb", description="Answers questions about an unfamiliar codebase, and shows why."
    )
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in commands:
        sub = subparsers.add_parser(name, help=HELP[name], description=HELP[name], allow_abbrev=False)
        sub.add_argument("--json", action="store_true", help="print JSON on stdout")
        sub.add_argument("--config", type=Path, metavar="FILE", help="a TOML file over the settings")
        _ADD[name](sub)
    return parser


def search_options(args: argparse.Namespace) -> SearchOptions:
    """What the call overrides."""
    given = vars(args)
    return SearchOptions(
        preset=given.get("preset"),
        profile=given.get("profile"),
        rules=given.get("rules"),
        intent=given.get("intent"),
        modality=given.get("modality"),
        weights=given.get("weights"),
        k=given.get("k"),
        top=given.get("top"),
        max_per_file=given.get("max_per_file"),
        ignore_case=given.get("ignore_case", False),
        expand=given.get("expand"),
        path=tuple(given.get("globs") or ()),
        lang=tuple(given.get("lang") or ()),
        no_tests=given.get("no_tests", False),
    )


def _weights(text: str) -> dict[Modality, float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != len(Modality) or not all(0 <= value < float("inf") for value in values):
        raise argparse.ArgumentTypeError(f"{text!r} is not four numbers of 0 or more, as in 0.5,0.2,0.2,0.1")
    return dict(zip(Modality, values, strict=True))


def _limit(text: str) -> int:
    return 0 if text == "off" else _positive(text)


def _positive(text: str) -> int:
    return _whole(text, 1, LARGEST)


def _port(text: str) -> int:
    return _whole(text, 0, 65_535)


def _whole(text: str, low: int, high: int) -> int:
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(high))
    if not digits or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from {low} to {high}")
    return int(text)


def _add_path(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("path", metavar="PATH", help="the folder of a codebase")
    _add_db(sub)


def _add_db(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--db", type=Path, metavar="FILE", help="the index file (default: in the cache folder)")


def _add_demo(sub: argparse.ArgumentParser) -> None:
    _add_db(sub)
    sub.set_defaults(path=str(sample_path()))


def _add_app(sub: argparse.ArgumentParser) -> None:
    _add_path(sub)
    sub.add_argument("--port", type=_port, default=0, help="port on 127.0.0.1 (default: a free one)")
    sub.add_argument("--no-browser", action="store_true", help="only print the address")


def _add_index(sub: argparse.ArgumentParser) -> None:
    _add_path(sub)
    sub.add_argument("--force", action="store_true", help="rebuild even when nothing changed")
    sub.add_argument("--embedder", metavar="E", help="which model makes the vectors (default: bundled); see models")
    sub.add_argument("--download", action="store_true", help="fetch a fastembed model that is not on this machine")


def _add_rules(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--rules", choices=RULE_TABLES, help="the rule table of the classifier")


def _add_search(sub: argparse.ArgumentParser) -> None:
    _add_path(sub)
    sub.add_argument("query", metavar="QUERY", help='words, "literal", /regex/, ast[LANG]: PATTERN or `symbol`')
    _add_search_options(sub, top="results to print")


def _add_evaluate(sub: argparse.ArgumentParser) -> None:
    _add_path(sub)
    sub.add_argument(
        "--queries", type=Path, required=True, metavar="FILE", help=".csv, .json, .jsonl (semble) or .tsv (TREC topics)"
    )
    sub.add_argument("--qrels", type=Path, metavar="FILE", help="TREC judgements (default: beside the topics)")
    sub.add_argument(
        "--repo", metavar="NAME", help="which codebase of the file (default: the name of a folder of PATH)"
    )
    sub.add_argument(
        "--compare", type=Path, metavar="FILE", help="a saved evaluate --json, settings or a profile (.toml)"
    )
    _add_search_options(sub, top="results that count (default: 20)")


def _add_search_options(sub: argparse.ArgumentParser, *, top: str) -> None:
    """What search and evaluate share."""
    sub.add_argument("--preset", help="quick, default or thorough")
    sub.add_argument("--profile", metavar="NAME|FILE", help="the weight profile")
    _add_rules(sub)
    sub.add_argument("--intent", type=Intent, choices=list(Intent), help="overrules the classifier")
    sub.add_argument("--embedder", metavar="E", help="which model answers (its vectors are made where there are none)")
    sub.add_argument("--modality", type=Modality, choices=list(Modality), help="one list alone, no fusion")
    sub.add_argument("--weights", type=_weights, metavar="SEM,TEXT,STRUCT,GRAPH", help="four weights for this query")
    sub.add_argument("--k", type=_positive, help="the k of 1 / (k + rank + 1)")
    sub.add_argument("--top", type=_positive, metavar="N", help=top)
    sub.add_argument("--max-per-file", type=_limit, metavar="N|off", help="results of one file")
    sub.add_argument("--ignore-case", action="store_true", help="for a literal or a regex")
    sub.add_argument(
        "--expand",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="search a Spanish query's words as the English ones of code (default: on)",
    )
    sub.add_argument(
        "--path",
        action="append",
        dest="globs",
        metavar="GLOB",
        help="only files like this, as in .gitignore: src/, *.py, !docs/ (repeatable, the last that matches decides)",
    )
    sub.add_argument("--lang", action="append", metavar="NAME", help="only this language (repeatable)")
    sub.add_argument("--no-tests", action="store_true", help="no test code")


def _add_classify(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("query", metavar="QUERY")
    _add_rules(sub)


def _add_impact(sub: argparse.ArgumentParser) -> None:
    _add_path(sub)
    sub.add_argument("symbol", metavar="SYMBOL", help="name, Class.name or path:name")
    sub.add_argument("--depth", type=_positive, metavar="N", help="how far (default: no limit)")


_ADD = {
    "demo": _add_demo,
    "app": _add_app,
    "doctor": _add_path,
    "profiles": lambda _: None,
    "models": lambda _: None,
    "index": _add_index,
    "search": _add_search,
    "classify": _add_classify,
    "impact": _add_impact,
    "evaluate": _add_evaluate,
}
