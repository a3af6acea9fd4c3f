"""What the README shows must work as shown."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from maguyva_nb import __version__
from maguyva_nb.arguments import build_parser
from maguyva_nb.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
LINES = [line.partition("  #")[0] for kind, block in BLOCKS if kind == "bash" for line in block.splitlines()]


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("maguyva-nb ")])
def test_every_command_line_is_accepted(line: str) -> None:
    build_parser(COMMANDS, __version__).parse_args(shlex.split(line)[1:])


def test_the_table_of_commands_names_them_all() -> None:
    assert set(re.findall(r"^\| `(\w+)", README, re.MULTILINE)) - {"quick", "default", "thorough"} == set(COMMANDS)


def test_every_option_named_in_the_table_exists() -> None:
    for command, rest in re.findall(r"^\| `(\w+)[^|]*\|(.*)\|$", README, re.MULTILINE):
        if command in COMMANDS:
            options = set(re.findall(r"--[a-z-]+", rest))
            known = build_parser(COMMANDS, __version__)._subparsers._group_actions[0].choices[command].format_help()  # type: ignore[union-attr]
            assert options <= set(re.findall(r"--[a-z-]+", known)), command


def test_python_blocks_are_python() -> None:
    blocks = [block for kind, block in BLOCKS if kind == "python"]
    assert blocks
    for block in blocks:
        ast.parse(block)


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = next(line for line in LINES if "pytest" in line)
    install, test = (part.strip() for part in command.split("&&"))
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert install.replace("pip install", "pip install -q") in script
    assert test in script
