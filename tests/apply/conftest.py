"""What ptc-eval prints, as a module, and what it would send."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "targets")]

PTC_EVAL = os.environ["PTC_EVAL"]

# The suites are made here and have no snapshots yet, and the program accepts none where CI is true.
os.environ.pop("CI", None)


def ptc_eval(*arguments) -> str:
    ran = subprocess.run([PTC_EVAL, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def shown(log: dict | list, path: Path, strategy: str) -> list[str]:
    """The requests of a strategy, as text with roles, texts, calls and results."""
    path.write_text(json.dumps(log))
    text = "\n" + ptc_eval("show", path, "--view", "compressed", "--strategy", strategy)
    requests = [request.split(" ===\n", 1)[1] for request in text.split("\n=== Request ")[1:]]
    return [request if request.endswith("\n\n") else request + "\n" for request in requests]


def offer_vocabulary() -> None:
    """Lets tiktoken find the vocabulary that it would download: that of the crate tiktoken-rs."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    vocabulary = next(cargo.glob("registry/src/*/tiktoken-rs-*/assets/o200k_base.tiktoken"), None)
    assert vocabulary, f"cargo fetch brings tiktoken-rs, which has the vocabulary, to {cargo}"
    folder = HERE.parents[1] / "target/tiktoken"
    folder.mkdir(parents=True, exist_ok=True)
    url = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    shutil.copy(vocabulary, folder / hashlib.sha1(url.encode()).hexdigest())
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)


def module(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


offer_vocabulary()
