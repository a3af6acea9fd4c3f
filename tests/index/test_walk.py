"""The walk lists what git lists, follows nothing, and says what it left out."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.index.git import head_commit, tracked_files
from maguyva_nb.index.paths import is_test_path, module_name, real_path, stored_path
from maguyva_nb.index.walk import Walk, walk

LIMIT = 10_000
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")


def git(folder: Path, *args: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def paths(found: Walk) -> list[str]:
    return [f.path for f in found.files]


def listed_by_git(root: Path) -> list[str]:
    out = git(root, "ls-files", "-z", "-co", "--exclude-standard")
    return sorted({p for p in out.split("\0") if p and (root / p).is_file() and not (root / p).is_symlink()})


CASES = {
    "negation below an ignored pattern": {
        ".gitignore": "*.log\n!keep.log\n",
        "a.log": "",
        "keep.log": "",
        "d/keep.log": "",
    },
    "nothing is re-included under an ignored folder": {
        ".gitignore": "out/\n!out/keep.py\n",
        "out/keep.py": "",
        "a.py": "",
    },
    "contents ignored, one re-included": {".gitignore": "out/*\n!out/keep.py\n", "out/keep.py": "", "out/b.py": ""},
    "a deeper file overrules": {
        ".gitignore": "*.gen\n",
        "d/.gitignore": "!*.gen\n",
        "d/a.gen": "",
        "a.gen": "",
        "d/e/b.gen": "",
    },
    "anchored": {".gitignore": "/a.py\nd/b.py\n", "a.py": "", "d/a.py": "", "d/b.py": "", "e/d/b.py": ""},
    "double stars": {
        ".gitignore": "**/tmp/**\n!**/tmp/keep/\nx/**/z\n",
        "tmp/a": "",
        "d/tmp/a": "",
        "tmp/keep/a": "",
        "x/y/z": "",
        "x/z": "",
    },
    "spaces, escapes and classes": {
        ".gitignore": "a\\ \n\\#x\n\\!y\nb[0-9].py\nc?.py\n",
        "a ": "",
        "#x": "",
        "!y": "",
        "b1.py": "",
        "bx.py": "",
        "c1.py": "",
        "c12.py": "",
    },
    "windows line ends": {".gitignore": "*.log\r\nd/\r\n", "a.log": "", "d/a": "", "b": ""},
    "a broken pattern loses no other": {".gitignore": "[\n*.log\n", "a.log": "", "b.py": ""},
    "a slash means folders only": {".gitignore": "build/\n", "build": "", "d/build/a": ""},
    "three levels": {
        ".gitignore": "*.x\n",
        "a/.gitignore": "!*.x\n",
        "a/b/.gitignore": "*.x\n!c.x\n",
        "q.x": "",
        "a/q.x": "",
        "a/b/q.x": "",
        "a/b/c.x": "",
    },
}


@needs_git
@pytest.mark.parametrize("files", CASES.values(), ids=CASES)
@pytest.mark.parametrize("use_git", [True, False], ids=["git", "read"])
def test_ignore_rules_are_those_of_git(tmp_path: Path, files: dict[str, str], use_git: bool) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, files)
    assert paths(walk(tmp_path, max_bytes=LIMIT, use_git=use_git)) == listed_by_git(tmp_path)


@needs_git
@pytest.mark.parametrize("use_git", [True, False], ids=["git", "read"])
def test_tracked_files_are_kept_though_ignored(tmp_path: Path, use_git: bool) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {".gitignore": "*.log\nd/\n", "a.log": "", "d/e/f.py": "", "d/g.py": "", "b.log": ""})
    git(tmp_path, "add", "-f", "a.log", "d/e/f.py")
    assert paths(walk(tmp_path, max_bytes=LIMIT, use_git=use_git)) == [".gitignore", "a.log", "d/e/f.py"]


@needs_git
@pytest.mark.parametrize("use_git", [True, False], ids=["git", "read"])
def test_exclude_file_subfolders_and_nested_trees(tmp_path: Path, use_git: bool) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".git/info/exclude").write_text("secret.py\n")
    write(tmp_path, {".gitignore": "*.log\n", "secret.py": "", "sub/secret.py": "", "sub/a.log": "", "sub/b.py": ""})
    write(tmp_path, {"inner/.gitignore": "*.tmp\n", "inner/a.log": "", "inner/b.tmp": "", "inner/secret.py": ""})
    git(tmp_path / "inner", "init", "-q")
    inner = ["inner/.gitignore", "inner/a.log", "inner/secret.py"]
    assert paths(walk(tmp_path, max_bytes=LIMIT, use_git=use_git)) == [".gitignore", *inner, "sub/b.py"]
    assert paths(walk(tmp_path / "sub", max_bytes=LIMIT, use_git=use_git)) == ["b.py"]


@needs_git
@pytest.mark.parametrize("use_git", [True, False], ids=["git", "read"])
def test_a_linked_work_tree_has_the_rules_and_the_commit_of_the_main_one(tmp_path: Path, use_git: bool) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    git(main, "init", "-q")
    write(main, {"a.py": "", ".gitignore": "*.log\n"})
    git(main, "add", ".")
    git(main, "commit", "-qm", "x")
    git(main, "worktree", "add", "-q", str(linked))
    (main / ".git/info/exclude").write_text("secret.py\n")
    write(linked, {"secret.py": "", "b.log": "", "c.py": ""})
    assert paths(walk(linked, max_bytes=LIMIT, use_git=use_git)) == [".gitignore", "a.py", "c.py"]
    assert head_commit(linked) == head_commit(main) is not None


@needs_git
@pytest.mark.parametrize("use_git", [True, False], ids=["git", "read"])
def test_an_ignored_folder_can_be_explored_when_it_is_named(tmp_path: Path, use_git: bool) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {".gitignore": "deps/\n", "deps/lib/a.py": "", "b.py": ""})
    assert paths(walk(tmp_path / "deps" / "lib", max_bytes=LIMIT, use_git=use_git)) == ["a.py"]
    assert paths(walk(tmp_path / "deps", max_bytes=LIMIT, use_git=use_git)) == ["lib/a.py"]


@needs_git
def test_a_repository_cannot_make_git_run_its_programs(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": "", "evil.sh": "#!/bin/sh\ntouch ran\n"})
    (tmp_path / "evil.sh").chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(tmp_path / "evil.sh"))
    assert paths(walk(tmp_path, max_bytes=LIMIT)) == ["a.py", "evil.sh"]
    assert not (tmp_path / "ran").exists()


@needs_git
def test_index_file_and_commit_are_read_without_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"a.py": "", "d/b.py": "", "d/c/ñ.py": ""})
    git(tmp_path, "add", ".")
    assert head_commit(tmp_path) is None
    git(tmp_path, "commit", "-qm", "x")
    for version in ("2", "4"):
        git(tmp_path, "update-index", "--index-version", version)
        assert sorted(tracked_files(tmp_path)) == ["a.py", "d/b.py", "d/c/ñ.py"]
    commit = git(tmp_path, "rev-parse", "HEAD").strip()
    assert head_commit(tmp_path / "d") == commit
    git(tmp_path, "pack-refs", "--all")
    assert head_commit(tmp_path) == commit
    git(tmp_path, "checkout", "-q", "--detach")
    assert head_commit(tmp_path) == commit


def test_links_specials_and_large_files_are_rows_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "big.py": "x" * LIMIT, "d/b.py": ""})
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "d" / "up").symlink_to("..")
    (tmp_path / "out").symlink_to("/")
    (tmp_path / "broken").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(tmp_path)
        server.bind("sock")
        found = walk(tmp_path, max_bytes=LIMIT)
    assert paths(found) == ["a.py", "d/b.py"]
    reasons = {s.path: s.reason for s in found.skipped}
    links = dict.fromkeys(["broken", "d/up", "link.py", "loop", "out"], "symlink")
    assert reasons == links | {"big.py": "too large", "pipe": "fifo", "sock": "socket"}


def test_environment_folders_are_one_row_each(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.py": "", "node_modules/x/y.js": "", "env/pyvenv.cfg": "", "env/lib/z.py": "", "d/__pycache__/a.pyc": ""},
    )
    write(tmp_path, {".git/config": "", ".hg/x": "", "vendor/v.py": "", ".github/ci.yml": ""})
    found = walk(tmp_path, max_bytes=LIMIT)
    assert paths(found) == [".github/ci.yml", "a.py", "vendor/v.py"]
    assert [s.path for s in found.skipped] == ["d/__pycache__", "env", "node_modules"]
    assert {s.reason for s in found.skipped} == {"environment folder"}


def test_odd_names_are_kept_and_can_be_opened(tmp_path: Path) -> None:
    names = ["new\nline.py", "🦊.py", "-rf.py", "sp ace.py", "back\\x41slash.py", "tab\t.py", "quote'\".py"]
    for name in names:
        (tmp_path / name).write_text(name)
    raw = os.fsencode(tmp_path) + b"/caf\xe9.py"
    with open(raw, "w") as file:
        file.write("latin")
    found = walk(tmp_path, max_bytes=LIMIT)
    assert paths(found) == sorted([*names, "caf\\xe9.py"])
    for path in paths(found):
        path.encode("utf-8")
        assert real_path(tmp_path, path).read_text() == ("latin" if path.startswith("caf") else path)


def test_deep_folders_need_no_recursion(tmp_path: Path) -> None:
    here = tmp_path
    for _ in range(300):
        here = here / "d"
    here.mkdir(parents=True)
    (here / "deep.py").write_text("")
    assert paths(walk(tmp_path, max_bytes=LIMIT)) == ["d/" * 300 + "deep.py"]


def test_order_does_not_depend_on_the_disk(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("b/c.py", "b.py", "b-a.py", "B.py", "a/z.py", "ab.py"), ""))
    assert paths(walk(tmp_path, max_bytes=LIMIT)) == ["B.py", "a/z.py", "ab.py", "b-a.py", "b.py", "b/c.py"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/util.py", True),
        ("src/test_a.py", True),
        ("a_test.go", True),
        ("x/Button.spec.tsx", True),
        ("src/FooTest.java", True),
        ("conftest.py", True),
        ("src/testimony.py", False),
        ("src/latest.py", False),
        ("contest/a.py", False),
        ("src/protest.py", False),
    ],
)
def test_test_files_are_told_by_folder_and_name(path: str, expected: bool) -> None:
    assert is_test_path(path, load_settings().paths) is expected


def test_names_of_modules_and_paths() -> None:
    assert module_name("pkg/sub/__init__.py") == "pkg.sub"
    assert module_name("pkg/mod.py") == "pkg.mod"
    assert module_name("__init__.py") == "__init__"
    assert stored_path("plain/ñ.py") == "plain/ñ.py"


def test_a_folder_that_may_not_be_looked_into_is_a_skipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr(Path, "stat", refuse)
    monkeypatch.setattr("maguyva_nb.index.git.Path.resolve", lambda self: self)
    found = walk(tmp_path, max_bytes=1000)
    assert [(one.path, one.reason) for one in found.skipped] == [(".", "no permission")]
