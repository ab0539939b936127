"""Peers live in environments of their own, made from pinned requirements when first needed."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object, loads

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / "benchmarks" / "venvs"

_VERSIONS = """
import importlib.metadata, json, sys
wanted = set(sys.argv[1:])
found = {d.name.lower(): d.version for d in importlib.metadata.distributions() if d.name.lower() in wanted}
print(json.dumps(found))
"""


def environment(name: str) -> Path:
    """The `bin` folder of environment `name`, which holds what `requirements/bench-NAME.txt` pins.

    Made anew when those requirements have changed. Raises `subprocess.CalledProcessError` when pip cannot.
    """
    requirements = ROOT / "requirements" / f"bench-{name}.txt"
    folder = VENVS / name
    stamp, wanted = folder / "requirements.txt", requirements.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        sys.stderr.write(f"Making benchmarks/venvs/{name} from {requirements.name} (a minute or two)\n")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "-r", str(requirements), "-c", str(requirements)], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "bin"


def ours() -> Path:
    """The `bin` folder of the environment that runs this benchmark."""
    return Path(sys.executable).parent


def versions(binaries: Path, packages: Sequence[str]) -> JsonObject:
    """Versions of those of `packages` (names in lower case) that the environment has."""
    command = [str(binaries / "python"), "-c", _VERSIONS, *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return as_object(loads(done.stdout))
