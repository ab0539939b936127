"""What a process was told, as it may be shown: settings without secrets, and the names of variables."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from openplaybook.jsonvalues import JsonValue
from openplaybook.server.setting_values import VARIABLE_PREFIX
from openplaybook.server.settings import CONFIG_FILE, SETTINGS, Settings, settings_in_file

_HIDDEN = "(set, not shown)"
_MAY_HOLD_A_PASSWORD = re.compile(r"//.*[@?]", re.DOTALL)
"""A URL with a user part or a query. What a password looks like is anybody's guess, so none of it is shown."""
_READ = re.compile(
    r"\w+_API_KEY|\w+_BASE_URL|(?:OPENPLAYBOOK|VAULT|OTEL|GOOGLE|E2B|AWS|AZURE)_\w+|SSL_CERT_(?:FILE|DIR)|KUBECONFIG"
    r"|STORAGE_EMULATOR_HOST|https?_proxy|HTTPS?_PROXY"
)
_PATH = re.compile(r"(?<![/\w.])/[^\s,;=&?/][^\s,;=&?]*")
"""In a text of several settings, such as `files:/run/secrets,vault:https://…?token_file=/run/token`."""
_FOR_TESTS = frozenset(f"{VARIABLE_PREFIX}{name}" for name in ("CI", "CORPUS", "SAMPLES"))


def shown_settings(settings: Settings) -> dict[str, str]:
    """Every setting as text; of one that holds a secret only whether it is set."""
    return {name: _shown(name, getattr(settings, name)) for name in SETTINGS}


def _shown(name: str, value: JsonValue) -> str:
    if SETTINGS[name].is_secret or _MAY_HOLD_A_PASSWORD.search(str(value)):
        return _HIDDEN if value else ""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def chosen_settings(settings: Settings) -> dict[str, str]:
    """Those of `shown_settings` that are not as they are by default."""
    default = shown_settings(Settings())
    return {name: shown for name, shown in shown_settings(settings).items() if shown != default[name]}


def read_variables(environment: Mapping[str, str]) -> Sequence[str]:
    """Names of the variables that keys, addresses of providers, secrets and certificates are read from, where set.

    Those of settings are not among them: settings have values that can be compared.
    """
    settings = {each.variable for each in SETTINGS.values()}
    return sorted(
        name
        for name, value in environment.items()
        if value and _READ.fullmatch(name) and name not in settings and name not in _FOR_TESTS
    )


def given_settings(
    flags: Mapping[str, JsonValue], environment: Mapping[str, str], folder: Path | None = None
) -> dict[str, str]:
    """Names of the settings that are given here, by a flag, a variable or the file of the folder, and where.

    Raises `SettingsError` where the file cannot be read.
    """
    path = (folder or Path()) / CONFIG_FILE
    given = {name: str(path) for name in settings_in_file(path)}
    given |= {name: each.variable for name, each in SETTINGS.items() if environment.get(each.variable)}
    return given | {name: SETTINGS[name].flag for name, value in flags.items() if value is not None}


def files_of(settings: Settings) -> list[Path]:
    """The files and folders that settings name."""
    values = [getattr(settings, name) for name in SETTINGS]
    named = [Path(path) for value in values if isinstance(value, str) for path in _PATH.findall(value)]
    return [*(value for value in values if isinstance(value, Path)), *named]
