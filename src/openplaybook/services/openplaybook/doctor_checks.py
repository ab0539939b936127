"""What works on this machine: each check is one function, and what it finds is a sentence."""

import importlib.util
import os
import platform
import shutil
import sqlite3
import ssl
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.egress.address_policy import parse_allow
from openplaybook.models.errors import ModelError
from openplaybook.models.model_directory import create_directory
from openplaybook.models.model_keys import key_of
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import ApiNotBuilt

_LEAST_FREE_BYTES = 200_000_000
_EXTRAS = {
    "models": "pydantic_ai",
    "google": "google.auth",
    "postgres": "psycopg",
    "otel": "opentelemetry.sdk",
    "code-interpreter": "pandas",
}
"""Extra → a package that comes with it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    """What was found."""
    remedy: str = ""
    """What to do; empty when nothing needs doing."""


@dataclass(frozen=True, slots=True)
class ServerHost:
    """What a server here would run on; the fields are its settings of the same names."""

    data_dir: Path
    model: str
    model_aliases: str
    egress_allow: str
    environment: Mapping[str, str]
    local_services: Sequence[str] = ()
    """Origins on this machine that tools may call besides."""


async def examine(machine: ServerHost) -> list[Check]:
    """Every check, in a fixed order. Changes nothing on the machine."""
    return [await check(machine) for check in _CHECKS]


async def _python(machine: ServerHost) -> Check:
    found = f"{platform.python_implementation()} {platform.python_version()} on {platform.platform(terse=True)}"
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, found, "" if ok else "install Python 3.11 or newer")


async def _api(machine: ServerHost) -> Check:
    try:
        methods = load_api().methods
    except ApiNotBuilt as error:
        return Check("api", False, str(error), "run `make setup` in the checkout, or reinstall the package")
    return Check("api", True, f"{len(methods)} RPCs described")


async def _sqlite(machine: ServerHost) -> Check:
    ok = sqlite3.sqlite_version_info >= (3, 35)
    return Check("sqlite", ok, sqlite3.sqlite_version, "" if ok else "use a Python with SQLite 3.35 or newer")


async def _data_dir(machine: ServerHost) -> Check:
    """Whether the directory can be written, judged without making it."""
    path = next(folder for folder in (machine.data_dir, *machine.data_dir.parents) if folder.exists())
    if not path.is_dir() or not os.access(path, os.W_OK | os.X_OK):
        return Check("data directory", False, f"{path} cannot be written", "choose another with --data-dir")
    free = shutil.disk_usage(path).free
    detail = f"{machine.data_dir}, {free / 1e9:.1f} GB free"
    ok = free >= _LEAST_FREE_BYTES
    return Check("data directory", ok, detail, "" if ok else "make room on the disk, or choose another with --data-dir")


async def _model(machine: ServerHost) -> Check:
    try:
        models = create_directory(machine.model, machine.model_aliases, machine.environment)
    except ModelError as error:
        return Check("model", False, str(error), "choose another with --model, or set what it needs")
    await models.aclose()
    key = key_of(machine.model, machine.environment)
    used = f" with {key.variable}" if key and key.value else ""
    remedy = "openplaybook doctor --try-model checks the key with the provider" if key else ""
    return Check("model", True, f"{machine.model} can be used{used} (nothing was sent)", remedy)


async def _extras(machine: ServerHost) -> Check:
    there = {extra: _is_installed(package) for extra, package in _EXTRAS.items()}
    installed = [extra for extra, is_there in there.items() if is_there]
    missing = [extra for extra, is_there in there.items() if not is_there]
    detail = f"installed: {', '.join(installed) or 'none'}"
    if not missing:
        return Check("extras", True, detail)
    remedy = f'install those that you need: make run EXTRAS="{" ".join(missing)}" (docs/installing.md)'
    return Check("extras", True, f"{detail}; not installed: {', '.join(missing)}", remedy)


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False  # nor the package that it would be in


async def _egress(machine: ServerHost) -> Check:
    try:
        networks = parse_allow(machine.egress_allow)
    except ValueError as error:
        return Check("egress", False, str(error), "correct --egress-allow")
    private = [*map(str, networks), *machine.local_services]
    allowed = f"also {', '.join(private)}" if private else "no private ones"
    return Check("egress", True, f"tools reach public addresses, {allowed}")


async def _certificates(machine: ServerHost) -> Check:
    count = ssl.create_default_context().cert_store_stats()["x509_ca"]
    if count or _has_certificate_folder():
        return Check("certificates", True, f"{count} authorities in the system's bundle")
    return Check("certificates", False, "no trusted authorities", "install ca-certificates, or set SSL_CERT_FILE")


def _has_certificate_folder() -> bool:
    folder = ssl.get_default_verify_paths().capath
    return bool(folder) and Path(folder).is_dir() and any(Path(folder).iterdir())


_CHECKS: tuple[Callable[[ServerHost], Awaitable[Check]], ...] = (
    _python,
    _api,
    _sqlite,
    _data_dir,
    _model,
    _extras,
    _egress,
    _certificates,
)
