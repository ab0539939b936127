"""What an operator may set, and where: flags, else `OPENPLAYBOOK_…` variables, else `openplaybook.toml`.

A library for this costs a quarter of the start-up time, so the sources are read here by hand.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from platformdirs import user_data_path

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.server.errors import SettingsError
from openplaybook.server.setting_durations import duration, or_forever

CONFIG_FILE = "openplaybook.toml"
"""Looked for in the working directory."""
VARIABLE_PREFIX = "OPENPLAYBOOK_"
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("json", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a server or a command is told; each field is a flag, a variable and a key of the same name."""

    host: str = "127.0.0.1"
    """Address to listen on, for REST and gRPC."""
    port: int = 8080
    """REST; 0 takes a free one."""
    grpc_port: int = 8081
    """gRPC; 0 takes a free one."""
    data_dir: Path = Path()
    """Everything the server keeps."""
    database_url: str = field(default="", repr=False)
    """`postgresql://…`: a database that several servers share, in place of a file in `data_dir`. Holds a password."""
    database_connections: int = 10
    """Connections to it that this server holds at most."""
    model: str = "offline"
    """The model that answers by default, as `models.registry` takes it."""
    model_aliases: str = ""
    """`NAME=KIND:NAME,…`: models for the names that agents ask for."""
    egress_allow: str = ""
    """`127.0.0.0/8,…`: private addresses that tools may reach."""
    external_references: bool = False
    """Fetch the documents that OpenAPI descriptions refer to at other places, when a tool is saved."""
    parser_memory_mb: int = 1024
    """Memory that the process may take which reads a large OpenAPI description."""
    parser_seconds: int = 20
    """Time that it may take."""
    code_executor: str = "auto"
    """Where the code of tools runs: `sandbox.building.KINDS`."""
    code_python: Path | None = None
    """The interpreter, and with it the libraries, that code gets; None: the server's own."""
    code_preload: str = "numpy,pandas,matplotlib.pyplot"
    """Modules that are imported before any code asks for them."""
    code_timeout: int = 30
    """Seconds that an execution may take, of time and of processors."""
    code_memory_mb: int = 1024
    """Memory that it may take, its files included."""
    code_processes: int = 0
    """Child processes that it may have at once."""
    code_concurrency: int = 0
    """Executions at once; others wait. 0: twice the CPUs, at least 4."""
    code_interpreters: int = 4
    """Warm interpreters, of which each agent that runs code has one; with more agents the idlest makes room."""
    code_sessions: str = "fresh"
    """`fresh`: each execution begins with nothing; `conversation`: variables last from one to the next."""
    code_kubernetes: str = ""
    """Where `code_executor=kubernetes` finds its sandboxes."""
    code_e2b: str = ""
    """The template, and more, of `code_executor=e2b`."""
    max_body_bytes: int = 96 * 1024 * 1024
    """Largest request, REST and gRPC; most RPCs take less, as `rpc_limits.toml` says."""
    max_grpc_message_bytes: int = 16 * 1024 * 1024
    """Largest message over gRPC, which is in memory as a whole before anybody can look at it; REST takes more."""
    max_bytes_in_flight: int = 192 * 1024 * 1024
    """Of large requests, both ports together; more are asked to come again. Reading one takes up to three times its
    size for a moment."""
    public_url: str = ""
    """Where clients reach the server, if not at its own address."""
    tls_cert: Path | None = None
    """File of the certificate and those between it and an authority (PEM): both ports speak TLS."""
    tls_key: Path | None = None
    """File of its private key (PEM)."""
    tls_passphrase_file: Path | None = None
    """File of what opens an encrypted key, where OPENPLAYBOOK_TLS_PASSPHRASE is not set."""
    api_key_file: Path | None = None
    """File of API keys, one a line, as `access.key_file` reads it."""
    oidc_issuer: str = ""
    """Whose tokens (OpenID Connect) are accepted beside API keys."""
    oidc_audience: str = ""
    """Whom its tokens must be for."""
    oidc_roles_claim: str = "roles"
    """The claim that names roles; `realm_access.roles` leads into an object."""
    oidc_role_map: str = ""
    """`VALUE=ROLE,…`: what values of that claim mean here; empty: they are roles of ours."""
    insecure: bool = False
    """Listen on other than loopback addresses without authentication."""
    cors_origins: str = ""
    """`https://shop.example,…`: origins whose web pages may use the API; `*` for all."""
    rate_limit: str = ""
    """`600/min`: requests that one caller may send."""
    rate_limit_turns: str = ""
    """The same for turns of conversations, which count here besides."""
    max_connections: int = 10_000
    """Connections that each port holds at once."""
    trusted_proxies: str = ""
    """`10.0.0.0/8,…`: whose `X-Forwarded-For` is believed."""
    drain_seconds: int = 25
    """Time that requests under way have when the server is told to stop; orchestrators kill after 30."""
    drain_delay: int = 0
    """Seconds before that in which the server says that it drains and still takes requests."""
    master_key_file: Path | None = None
    """File of the key that seals secrets, where OPENPLAYBOOK_MASTER_KEY is not set; else one in `data_dir`."""
    bucket: str = ""
    """Buckets that exports and imports may name: `NAME=gs:,…` at Google, or `NAME=FOLDER,…` standing for them."""
    secret_backends: str = "local"
    """Where secrets are looked up, in this order: `local,environment,files:FOLDER,…`."""
    google_identity: bool = False
    """Service agents are known by this server's Google credentials in place of its own issuer."""
    service_accounts: str = ""
    """`EMAIL=KEY_FILE,EMAIL=impersonated,…`: the service accounts that tools may act as."""
    service_directory: str = ""
    """`projects/…/services/S=ADDRESS:PORT,…`: where private services listen; `google`: ask Google for others."""
    session_ttl: int = 30 * 60
    """Seconds that a session lives after its last request, where that does not say."""
    conversation_retention: int | None = 30 * 24 * 60 * 60
    """Seconds that a conversation is kept after its session has expired; None: until it is deleted."""
    log_level: str = "info"
    log_format: str = ""
    """`json` or `text`; empty: text on a terminal, else JSON."""


Reader: TypeAlias = Callable[[JsonValue], JsonValue]


def load_settings(
    flags: Mapping[str, JsonValue],
    environment: Mapping[str, str],
    folder: Path | None = None,
    *,
    defaults: Mapping[str, JsonValue] | None = None,
) -> Settings:
    """The settings of a command started in `folder` (default: the working directory) with these flags.

    A flag of None was not given; `defaults` are a command's own, where nobody says anything.
    Raises `SettingsError` naming the source of what cannot be used.
    """
    values: dict[str, JsonValue] = {"data_dir": user_data_path("openplaybook", appauthor=False), **(defaults or {})}
    values.update(settings_in_file((folder or Path()) / CONFIG_FILE))
    values.update(_from_environment(environment))
    for name, value in flags.items():
        if value is not None:
            values[name] = _read(name, value, f"--{name.replace('_', '-')}")
    return Settings(**values)


def settings_in_file(path: Path) -> dict[str, JsonValue]:
    """What the file sets, read; nothing where there is none. Raises `SettingsError`."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: {error}") from error
    return {name: _read(name, value, f"{path}: {name}") for name, value in document.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, JsonValue]:
    variables = {VARIABLE_PREFIX + name.upper(): name for name in _READERS}
    # Names we do not know are left alone: other programs of ours read variables of the same prefix.
    given = {variable: environment[variable] for variable in variables if environment.get(variable)}
    return {variables[variable]: _read(variables[variable], value, variable) for variable, value in given.items()}


def unknown_variables(environment: Mapping[str, str]) -> Sequence[str]:
    """A sentence about each `OPENPLAYBOOK_…` variable that nobody reads, such as one whose name is mistyped."""
    known = [*map(str.upper, _READERS), *_READ_ELSEWHERE]
    told: list[str] = []
    for variable in sorted(environment):
        name = variable.removeprefix(VARIABLE_PREFIX)
        is_ours = name != variable and not variable.startswith(_SECRET_VARIABLES)
        if is_ours and name not in known:
            # Without what all begin with: it would make all of them alike.
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {VARIABLE_PREFIX}{close[0]}?" if close else "openplaybook serve --help lists all"
            told.append(f"the variable {variable} is not a setting and is ignored; {hint}")
    return told


_READ_ELSEWHERE = (
    "MASTER_KEY",
    "TLS_PASSPHRASE",
    "MODEL_WINDOW",
    "GOOGLE_ANONYMOUS",
    "GOOGLE_ENDPOINT",
    "CORPUS",
    "SAMPLES",
    "CI",
)
"""Variables that are no settings: secrets, what models and clients are told, and what tests are."""
_SECRET_VARIABLES = f"{VARIABLE_PREFIX}SECRET_"
"""How variables begin that hold secrets of tools."""


def _read(name: str, value: JsonValue, source: str) -> JsonValue:
    if name not in _READERS:
        close = get_close_matches(name, _READERS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"allowed are {', '.join(_READERS)}"
        raise SettingsError(f"{source} is not a setting; {hint}")
    try:
        return _READERS[name](value)
    except ValueError as error:
        shown = "" if name in SECRET else f" is {value!r}"
        raise SettingsError(f"{source}{shown}: {error}") from error


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _whole_number(low: int, high: int) -> Reader:
    def read(value: JsonValue) -> int:
        is_number = (isinstance(value, int) and not isinstance(value, bool)) or str(value).isdecimal()
        if not is_number or not low <= int(value) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(value)

    return read


def _path(value: JsonValue) -> Path:
    if not isinstance(value, str | Path) or not str(value):
        raise ValueError("must be a path")
    try:
        return Path(value).expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("must be a path: no user of that name has a home directory here") from error


def _yes_or_no(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if str(value).lower() not in known:
        raise ValueError("must be true or false")
    return known[str(value).lower()]


def _list(value: JsonValue) -> str:
    """Text with commas, or an array or table in the file, as text with commas."""
    if isinstance(value, list):
        return ",".join(_text(item) for item in as_list(value))
    if isinstance(value, dict):
        return ",".join(f"{name}={_text(item)}" for name, item in as_object(value).items())
    return _text(value)


def _one_of(*allowed: str) -> Reader:
    def read(value: JsonValue) -> str:
        if str(value).lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return str(value).lower()

    return read


def _url(value: JsonValue) -> str:
    text = _text(value).rstrip("/")
    if text and not text.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return text


def _database_url(value: JsonValue) -> str:
    text = _text(value)
    if text and not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("must start with postgresql://")
    return text


_PORT = _whole_number(0, 65535)
_READERS: Mapping[str, Reader] = {
    "host": _text,
    "port": _PORT,
    "grpc_port": _PORT,
    "data_dir": _path,
    "database_url": _database_url,
    "database_connections": _whole_number(1, 1000),
    "model": _text,
    "model_aliases": _list,
    "egress_allow": _list,
    "external_references": _yes_or_no,
    "parser_memory_mb": _whole_number(64, 65_536),
    "parser_seconds": _whole_number(1, 600),
    "code_executor": _one_of("auto", "forkserver", "off", "unsafe-subprocess", "kubernetes", "e2b"),
    "code_python": _path,
    "code_preload": _list,
    "code_timeout": _whole_number(1, 300),
    "code_memory_mb": _whole_number(64, 1_048_576),
    "code_processes": _whole_number(0, 1024),
    "code_concurrency": _whole_number(0, 4096),
    "code_interpreters": _whole_number(1, 1024),
    "code_sessions": _one_of("fresh", "conversation"),
    "code_kubernetes": _list,
    "code_e2b": _list,
    "max_body_bytes": _whole_number(1024, 2**31 - 1),
    "max_grpc_message_bytes": _whole_number(1024, 2**31 - 1),
    "max_bytes_in_flight": _whole_number(1024, 2**40),
    "public_url": _url,
    "tls_cert": _path,
    "tls_key": _path,
    "tls_passphrase_file": _path,
    "api_key_file": _path,
    "oidc_issuer": _url,
    "oidc_audience": _text,
    "oidc_roles_claim": _text,
    "oidc_role_map": _list,
    "insecure": _yes_or_no,
    "cors_origins": _list,
    "rate_limit": _text,
    "rate_limit_turns": _text,
    "max_connections": _whole_number(1, 1_000_000),
    "trusted_proxies": _list,
    "drain_seconds": _whole_number(0, 3600),
    "drain_delay": _whole_number(0, 600),
    "master_key_file": _path,
    "bucket": _list,
    "secret_backends": _list,
    "google_identity": _yes_or_no,
    "service_accounts": _list,
    "service_directory": _list,
    "session_ttl": duration(1, 24 * 60 * 60),
    "conversation_retention": or_forever(duration(0, 3650 * 24 * 60 * 60)),
    "log_level": _one_of(*LOG_LEVELS),
    "log_format": _one_of(*LOG_FORMATS),
}

SECRET = frozenset({"database_url"})
"""Never shown, not even in part."""
