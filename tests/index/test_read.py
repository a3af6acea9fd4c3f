"""Any bytes become text with ``\\n`` line ends, or a reason."""

from __future__ import annotations

import codecs
import json
import random

import pytest

from maguyva_nb.index.notebook import read_notebook
from maguyva_nb.index.read import Text, Unreadable, decode, split_text


@pytest.mark.parametrize(
    ("data", "text", "reason"),
    [
        (b"a = 1\n", "a = 1\n", None),
        ("ñandú\n".encode(), "ñandú\n", None),
        (codecs.BOM_UTF8 + b"a\n", "a\n", None),
        ("ñ\n".encode("latin-1"), "ñ\n", "decoded as latin-1"),
        ("ñ\n".encode("utf-16"), "ñ\n", "decoded as utf-16-le"),
        (codecs.BOM_UTF16_BE + "ñ\n".encode("utf-16-be"), "ñ\n", "decoded as utf-16-be"),
        (codecs.BOM_UTF32_LE + "ñ\n".encode("utf-32-le"), "ñ\n", "decoded as utf-32-le"),
        ("# -*- coding: cp1251 -*-\nд\n".encode("cp1251"), "# -*- coding: cp1251 -*-\nд\n", "decoded as cp1251"),
        (
            "#!/x\n# vim: set fileencoding=koi8-r :\nд".encode("koi8-r"),
            "#!/x\n# vim: set fileencoding=koi8-r :\nд",
            "decoded as koi8-r",
        ),
        (
            '<?xml version="1.0" encoding="ISO-8859-2"?>ł'.encode("iso8859-2"),
            '<?xml version="1.0" encoding="ISO-8859-2"?>ł',
            "decoded as iso8859-2",
        ),
        (b"a\r\nb\rc\n", "a\nb\rc\n", None),
        (b"", "", None),
    ],
)
def test_decoding_by_mark_declaration_or_fallback(data: bytes, text: str, reason: str | None) -> None:
    assert decode(data) == Text(text, reason)


def test_a_declared_codec_that_is_no_character_set_is_not_used() -> None:
    for name in ("rot13", "unicode_escape", "hex", "no-such-codec", "utf-7"):
        data = f"# coding: {name}\n".encode() + b"\xe9"
        assert decode(data) == Text(f"# coding: {name}\né", "decoded as latin-1")


def test_a_declaration_that_is_wrong_does_not_spoil_utf8() -> None:
    assert decode("# coding: ascii\nñ\n".encode()) == Text("# coding: ascii\nñ\n", None)


def test_a_nul_byte_makes_a_file_binary_unless_a_mark_explains_it() -> None:
    assert decode(b"\x7fELF\0") == Unreadable("binary")
    assert isinstance(decode("a".encode("utf-16")), Text)


def test_compressed_data_is_binary_even_without_an_early_nul_byte() -> None:
    noise = bytes(n for n in random.Random(1).randbytes(20_000) if n)
    assert decode(b"%PDF-1.5\n" + noise) == Unreadable("binary")
    assert decode("テスト、これは文字です。\n".encode("shift_jis")) == Text(
        "テスト、これは文字です。\n".encode("shift_jis").decode("latin-1"), "decoded as latin-1"
    )


def test_damage_after_a_mark_is_told() -> None:
    assert decode(codecs.BOM_UTF8 + b"a\xff") == Text("a�", "decoded as utf-8, damaged")


def test_lines_end_at_line_feeds_alone() -> None:
    assert split_text("a\rb\u2028c\x0cd\x85e\nf") == ["a\rb\u2028c\x0cd\x85e", "f"]
    assert split_text("a\n\n") == ["a", ""]
    assert split_text("") == []


def notebook(*cells: dict[str, object], **metadata: object) -> str:
    return json.dumps({"cells": list(cells), "metadata": metadata, "nbformat": 4})


def test_a_notebook_is_the_sources_of_its_cells() -> None:
    image = {"data": {"image/png": "iVBORw0KGgo" * 1000}}
    text = notebook(
        {"cell_type": "markdown", "source": ["# Title\n", "prose"]},
        {"cell_type": "code", "source": "def f():\n    return 1\n", "outputs": [image]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", "f()"]},
        {"cell_type": "code", "source": "%%bash\nls"},
        {"cell_type": "code", "source": ""},
        language_info={"name": "python"},
    )
    found = read_notebook(text)
    assert found is not None
    assert found.text == "# Title\nprose\ndef f():\n    return 1\n%matplotlib inline\nf()\n%%bash\nls\n"
    assert found.code == "# # Title\n# prose\ndef f():\n    return 1\n# %matplotlib inline\nf()\n# %%bash\n# ls\n"
    assert found.cells == (1, 3, 5, 7)
    assert found.language == "python"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"cells": 3}', '{"worksheets": []}', "[" * 50_000])
def test_what_is_no_notebook_is_told(text: str) -> None:
    assert read_notebook(text) is None


def test_odd_cells_do_no_harm() -> None:
    text = notebook(
        {"cell_type": "code", "source": "\ud800x"},
        {"source": [1, None, "y"]},
        language_info=3,
        kernelspec={"language": "R"},
    )
    found = read_notebook(text.replace("\\\\ud800", "\\ud800"))
    assert found is not None
    assert found.text == "?x\ny\n"
    assert found.language == "r"
