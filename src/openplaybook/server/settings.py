"""What an operator may set, and where: flags, else `OPENPLAYBOOK_…` variables, else `openplaybook.toml`.

All that is to be said of a setting stands at its field, once; the command line and the reference take it from
`SETTINGS`. A library for this costs a quarter of the start-up time, so the sources are read here by hand.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_data_path

from openplaybook.jsonvalues import JsonValue
from openplaybook.server.errors import SettingsError
from openplaybook.server.setting_values import (
    DATABASE_URL,
    LIST,
    PATH,
    PORT,
    TEXT,
    URL,
    VARIABLE_PREFIX,
    YES_OR_NO,
    Setting,
    byte_count,
    duration,
    one_of,
    or_forever,
    setting,
    setting_of,
    whole_number,
)

CONFIG_FILE = "openplaybook.toml"
"""Looked for in the working directory."""

_DAY_S = 24 * 60 * 60
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a server or a command is told; each field is a flag, a variable and a key of the same name.

    They stand in the order of the help. Below a field stands what its help does not say.
    """

    host: str = setting(TEXT, "127.0.0.1", "Address to listen on.", heading="Address")
    """For REST and gRPC."""
    port: int = setting(PORT, 8080, "REST port; 0 takes a free one.")
    grpc_port: int = setting(PORT, 8081, "gRPC port; 0 takes a free one.")
    public_url: str = setting(URL, "", "URL that clients use, if it is not the address.")
    tls_cert: Path | None = setting(PATH, None, "Certificate chain (PEM); both ports then use TLS.")
    tls_key: Path | None = setting(PATH, None, "Private key of the certificate (PEM).")
    tls_passphrase_file: Path | None = setting(PATH, None, "File with the passphrase of the key.")
    """Read where OPENPLAYBOOK_TLS_PASSPHRASE is not set."""
    max_connections: int = setting(whole_number(1, 1_000_000), 10_000, "Limit of connections per port.")
    trusted_proxies: str = setting(LIST, "", "Proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8.")
    max_body_bytes: int = setting(byte_count(1024, 2**31 - 1), 96 * _MIB, "Size of the largest request.")
    """REST and gRPC; most RPCs take less, as `rpc_limits.toml` says."""
    max_grpc_message_bytes: int = setting(byte_count(1024, 2**31 - 1), 16 * _MIB, "Size of the largest gRPC message.")
    """Such a message is in memory as a whole before anybody can look at it; REST takes more."""
    max_bytes_in_flight: int = setting(
        byte_count(1024, 2**40), 192 * _MIB, "Total size of the large requests in progress."
    )
    """Of both ports together; more are asked to come again. Reading one takes up to three times its size for a
    moment."""

    data_dir: Path = setting(
        PATH, Path(), "Directory of the server's data.", shown="the platform's user data directory", heading="Data"
    )
    database_url: str = setting(
        DATABASE_URL,
        "",
        "postgresql://…, which several servers can share. If it has a password, set the variable.",
        is_secret=True,
    )
    """In place of a file in `data_dir`."""
    database_connections: int = setting(whole_number(1, 1000), 10, "Limit of connections to the database.")
    session_ttl: int = setting(
        duration(1, _DAY_S), 30 * 60, "How long a session lives after its last request, at most 24h."
    )
    """Seconds, where the session itself does not say."""
    conversation_retention: int | None = setting(
        or_forever(duration(0, 3650 * _DAY_S)),
        30 * _DAY_S,
        "How long a conversation is kept after its session has expired.",
    )
    """Seconds; None: until it is deleted."""

    search_engine: str = setting(
        TEXT,
        "embedded",
        "What holds and searches data stores: embedded, opensearch:URL, vertex or vertex:URL.",
    )
    """As `retrieval.remote_engine` takes it."""
    embeddings: str = setting(
        TEXT,
        "auto",
        "What embedded data stores are searched by besides words: auto, none, openai:MODEL or onnx:FOLDER.",
    )
    """As `encoders.encoder_registry` takes it; auto is the extra's small encoder for stores in English."""
    store_documents: int = setting(
        whole_number(0, 1_000_000_000),
        5_000_000,
        "Documents that the data stores of a project may hold; 0: any number.",
    )
    """All of them together."""
    store_bytes: int = setting(byte_count(0, 2**50), 100 * 1024 * _MIB, "Bytes that they may hold; 0: any number.")
    """As they are stored, without what they are searched by."""
    store_indexes: Path | None = setting(
        PATH, None, "Directory of what data stores are searched by.", shown="indexes in the data directory"
    )
    """It is made anew from the documents where it is missing; each server needs one of its own."""

    crawl_delay_ms: int = setting(
        whole_number(0, 60_000), 500, "Milliseconds between two requests to a website that is crawled."
    )
    """A site's robots.txt may ask for more."""
    crawl_again_after: int | None = setting(
        or_forever(duration(3600, 365 * _DAY_S)), _DAY_S, "After how long websites of data stores are crawled again."
    )
    """Seconds; None: when it is asked for."""

    model: str = setting(
        TEXT,
        "offline",
        "Model: offline, openai:NAME, google:NAME, anthropic:NAME, … or scripted:FILE.",
        heading="Models",
    )
    """The one that answers by default, as `models.registry` takes it."""
    model_aliases: str = setting(LIST, "", "NAME=KIND:NAME,…: models for the names that agents use.")

    egress_allow: str = setting(
        LIST, "", "Private addresses that tools may reach, such as 10.0.0.0/8,127.0.0.1.", heading="Tools"
    )
    external_references: bool = setting(
        YES_OR_NO, False, "When a tool is saved, fetch the URLs that its OpenAPI document refers to."
    )
    parser_memory_mb: int = setting(
        whole_number(64, 65_536), 1024, "Memory limit, in MB, for reading a large OpenAPI document."
    )
    parser_seconds: int = setting(whole_number(1, 600), 20, "Time limit, in seconds, for reading one.")
    google_identity: bool = setting(YES_OR_NO, False, "Tools authenticate with this server's Google credentials.")
    """In place of its own issuer."""
    service_accounts: str = setting(
        LIST, "", "EMAIL=KEY_FILE,EMAIL=impersonated,…: service accounts that tools may act as."
    )
    service_directory: str = setting(
        LIST, "", "projects/…/services/S=ADDRESS:PORT,…: private services; google: look up at Google."
    )

    code_executor: str = setting(
        one_of("auto", "forkserver", "off", "unsafe-subprocess", "kubernetes", "e2b"),
        "auto",
        "Where the code of tools runs: auto, forkserver, off, kubernetes, e2b, unsafe-subprocess.",
        heading="Code",
    )
    """The kinds of executors that the sandbox has."""
    code_python: Path | None = setting(
        PATH, None, "Python interpreter, with its libraries, for code.", shown="the server's own"
    )
    code_preload: str = setting(LIST, "numpy,pandas,matplotlib.pyplot", "Modules to import in advance.")
    code_timeout: int = setting(whole_number(1, 300), 30, "Time limit of an execution, in seconds, at most 300.")
    """Of time and of processors."""
    code_memory_mb: int = setting(whole_number(64, 1_048_576), 1024, "Memory limit of an execution, in MB.")
    """Its files included."""
    code_processes: int = setting(whole_number(0, 1024), 0, "Child processes that an execution may have.")
    """At once."""
    code_concurrency: int = setting(
        whole_number(0, 4096), 0, "Executions at the same time; others wait.", shown="twice the CPUs, at least 4"
    )
    """0: twice the CPUs, at least 4."""
    code_interpreters: int = setting(whole_number(1, 1024), 4, "Interpreters kept ready, one for each active agent.")
    """With more agents the idlest makes room."""
    code_sessions: str = setting(
        one_of("fresh", "conversation"),
        "fresh",
        "fresh: each execution starts empty; conversation: variables are kept.",
    )
    code_kubernetes: str = setting(LIST, "", "NAMESPACE/WARMPOOL,… for --code-executor kubernetes.")
    code_e2b: str = setting(LIST, "", "TEMPLATE,… for --code-executor e2b.")

    master_key_file: Path | None = setting(
        PATH,
        None,
        "File with the key that encrypts secrets.",
        shown="master.key in the data directory",
        heading="Secrets",
    )
    """Read where OPENPLAYBOOK_MASTER_KEY is not set."""
    bucket: str = setting(
        LIST, "", "Buckets for exports and imports: NAME=gs: at Google, or NAME=FOLDER as a stand-in."
    )
    sqlite_files: str = setting(LIST, "", "SQLite files that connections may open: NAME=FILE, comma separated.")
    connector_documents: Path | None = setting(
        PATH, None, "Folder with vendors' API documents, from which connections read more fields."
    )
    secret_backends: str = setting(
        LIST, "local", "Where to look up secrets: local,environment,files:DIR,vault:URL,google."
    )
    """In this order."""

    api_key_file: Path | None = setting(
        PATH, None, "File with API keys, one per line: KEY, ROLE KEY or ROLE NAME KEY.", heading="Access"
    )
    oidc_issuer: str = setting(URL, "", "Identity provider whose tokens are accepted.")
    """OpenID Connect, beside API keys."""
    oidc_audience: str = setting(TEXT, "", "Audience that its tokens must have.")
    oidc_roles_claim: str = setting(TEXT, "roles", "Claim that contains the roles, such as realm_access.roles.")
    """A dot leads into an object."""
    oidc_role_map: str = setting(
        LIST, "", "VALUE=ROLE,…: role for each value of the claim; roles are admin, editor, runtime."
    )
    """Empty: the values are roles of ours."""
    oidc_client_id: str = setting(TEXT, "", "The console's client id at the identity provider.")
    oidc_client_secret_file: Path | None = setting(PATH, None, "File with the client's secret; without, it is public.")
    oidc_scopes: str = setting(TEXT, "openid profile", "Scopes that the login asks for.")
    insecure: bool = setting(YES_OR_NO, False, "Let other machines use the server without authentication.")
    cors_origins: str = setting(LIST, "", "Origins whose web pages may use the API: https://shop.example,… or *.")
    rate_limit: str = setting(TEXT, "", "Limit of requests per caller, such as 600/min.")
    rate_limit_turns: str = setting(TEXT, "", "Limit of turns per caller, such as 60/min.")
    """They count as requests besides."""

    drain_seconds: int = setting(
        whole_number(0, 3600),
        25,
        "Seconds that running requests have when the server stops.",
        heading="Stopping and logs",
    )
    """Orchestrators kill after 30."""
    drain_delay: int = setting(whole_number(0, 600), 0, "Seconds before that in which health checks report draining.")
    """Requests are still taken."""
    log_level: str = setting(
        one_of("debug", "info", "warning", "error"), "info", "Log level: debug, info, warning or error."
    )
    log_format: str = setting(
        one_of("json", "text"), "", "Log format: json or text.", shown="text on a terminal, else json"
    )
    """Empty: text on a terminal, else JSON."""


SETTINGS: Mapping[str, Setting] = {each.name: setting_of(each) for each in fields(Settings)}
"""Every setting by its name, in the order of the help."""


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
    for name, each in SETTINGS.items():
        # An empty variable was not given; names we do not know are left alone: other programs have the same prefix.
        if text := environment.get(each.variable):
            values[name] = _read(name, text, each.variable)
    for name, value in flags.items():
        if value is not None:
            values[name] = _read(name, value, SETTINGS[name].flag)
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


def unknown_variables(environment: Mapping[str, str]) -> Sequence[str]:
    """A sentence about each `OPENPLAYBOOK_…` variable that nobody reads, such as one whose name is mistyped."""
    known = [*map(str.upper, SETTINGS), *_READ_ELSEWHERE]
    sentences: list[str] = []
    for variable in sorted(environment):
        name = variable.removeprefix(VARIABLE_PREFIX)
        is_ours = name != variable and not variable.startswith(_SECRET_VARIABLES)
        if is_ours and name not in known:
            # Without what all begin with: it would make all of them alike.
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {VARIABLE_PREFIX}{close[0]}?" if close else "openplaybook serve --help lists all"
            sentences.append(f"the variable {variable} is not a setting and is ignored; {hint}")
    return sentences


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
    if name not in SETTINGS:
        close = get_close_matches(name, SETTINGS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"allowed are {', '.join(SETTINGS)}"
        raise SettingsError(f"{source} is not a setting; {hint}")
    try:
        return SETTINGS[name].values.read(value)
    except ValueError as error:
        shown = "" if SETTINGS[name].is_secret else f" is {value!r}"
        raise SettingsError(f"{source}{shown}: {error}") from error
