from __future__ import annotations

import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.index.paths import is_test_path


@pytest.mark.parametrize(
    "path",
    ["tests/a.py", "pkg/test_a.py", "conftest.py", "a_test.go", "src/a.spec.ts", "src/a.test.tsx", "AppTest.java"],
)
def test_customary_names_are_tests(path: str) -> None:
    assert is_test_path(path, load_settings().paths)


@pytest.mark.parametrize("path", ["lib/test_functions.bash", "src/test_runner.c", "contest.py", "latest.ts"])
def test_code_about_testing_is_no_test(path: str) -> None:
    assert not is_test_path(path, load_settings().paths)
