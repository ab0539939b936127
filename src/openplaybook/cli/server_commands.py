"""`openplaybook serve`: the server."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.options import DataDir, GrpcPort, Host, LogLevel, ModelName, Port

if TYPE_CHECKING:
    from openplaybook.jsonvalues import JsonValue

HEADINGS = {
    "host": "Address",
    "data_dir": "Data",
    "model": "Models",
    "egress_allow": "Tools",
    "code_executor": "Code",
    "master_key_file": "Secrets",
    "api_key_file": "Access",
    "drain_seconds": "Stopping and logs",
}
"""The first option of each part of the help, and the heading above it."""


def serve(
    host: Host = None,
    port: Port = None,
    grpc_port: GrpcPort = None,
    public_url: Annotated[str | None, typer.Option(help="URL that clients use, if it is not the address.")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate chain (PEM); both ports then use TLS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Private key of the certificate (PEM).")] = None,
    tls_passphrase_file: Annotated[Path | None, typer.Option(help="File with the passphrase of the key.")] = None,
    max_connections: Annotated[
        int | None, typer.Option(help="Limit of connections per port.", show_default="10000")
    ] = None,
    trusted_proxies: Annotated[
        str | None, typer.Option(help="Proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8.")
    ] = None,
    max_body_bytes: Annotated[
        int | None, typer.Option(help="Size of the largest request.", show_default="96 MiB")
    ] = None,
    max_grpc_message_bytes: Annotated[
        int | None, typer.Option(help="Size of the largest gRPC message.", show_default="16 MiB")
    ] = None,
    max_bytes_in_flight: Annotated[
        int | None, typer.Option(help="Total size of the large requests in progress.", show_default="192 MiB")
    ] = None,
    data_dir: DataDir = None,
    database_url: Annotated[
        str | None,
        typer.Option(help="postgresql://…, which several servers can share. If it has a password, set the variable."),
    ] = None,
    database_connections: Annotated[
        int | None, typer.Option(help="Limit of connections to the database.", show_default="10")
    ] = None,
    session_ttl: Annotated[
        str | None,
        typer.Option(help="How long a session lives after its last request, at most 24h.", show_default="30m"),
    ] = None,
    conversation_retention: Annotated[
        str | None,
        typer.Option(help="How long a conversation is kept after its session has expired.", show_default="30d"),
    ] = None,
    model: ModelName = None,
    model_aliases: Annotated[
        str | None, typer.Option(help="NAME=KIND:NAME,…: models for the names that agents use.")
    ] = None,
    egress_allow: Annotated[
        str | None, typer.Option(help="Private addresses that tools may reach, such as 10.0.0.0/8,127.0.0.1.")
    ] = None,
    external_references: Annotated[
        bool | None,
        typer.Option(
            "--external-references", help="When a tool is saved, fetch the URLs that its OpenAPI document refers to."
        ),
    ] = None,
    parser_memory_mb: Annotated[
        int | None, typer.Option(help="Memory limit, in MB, for reading a large OpenAPI document.", show_default="1024")
    ] = None,
    parser_seconds: Annotated[
        int | None, typer.Option(help="Time limit, in seconds, for reading one.", show_default="20")
    ] = None,
    google_identity: Annotated[
        bool | None,
        typer.Option("--google-identity", help="Tools authenticate with this server's Google credentials."),
    ] = None,
    service_accounts: Annotated[
        str | None, typer.Option(help="EMAIL=KEY_FILE,EMAIL=impersonated,…: service accounts that tools may act as.")
    ] = None,
    service_directory: Annotated[
        str | None,
        typer.Option(help="projects/…/services/S=ADDRESS:PORT,…: private services; google: look up at Google."),
    ] = None,
    code_executor: Annotated[
        str | None,
        typer.Option(
            help="Where the code of tools runs: auto, forkserver, off, kubernetes, e2b, unsafe-subprocess.",
            show_default="auto",
        ),
    ] = None,
    code_python: Annotated[
        Path | None,
        typer.Option(help="Python interpreter, with its libraries, for code.", show_default="the server's own"),
    ] = None,
    code_preload: Annotated[
        str | None, typer.Option(help="Modules to import in advance.", show_default="numpy,pandas,matplotlib.pyplot")
    ] = None,
    code_timeout: Annotated[
        int | None, typer.Option(help="Time limit of an execution, in seconds, at most 300.", show_default="30")
    ] = None,
    code_memory_mb: Annotated[
        int | None, typer.Option(help="Memory limit of an execution, in MB.", show_default="1024")
    ] = None,
    code_processes: Annotated[
        int | None, typer.Option(help="Child processes that an execution may have.", show_default="0")
    ] = None,
    code_concurrency: Annotated[
        int | None,
        typer.Option(help="Executions at the same time; others wait.", show_default="twice the CPUs, at least 4"),
    ] = None,
    code_interpreters: Annotated[
        int | None, typer.Option(help="Interpreters kept ready, one for each active agent.", show_default="4")
    ] = None,
    code_sessions: Annotated[
        str | None,
        typer.Option(
            help="fresh: each execution starts empty; conversation: variables are kept.", show_default="fresh"
        ),
    ] = None,
    code_kubernetes: Annotated[
        str | None, typer.Option(help="NAMESPACE/WARMPOOL,… for --code-executor kubernetes.")
    ] = None,
    code_e2b: Annotated[str | None, typer.Option(help="TEMPLATE,… for --code-executor e2b.")] = None,
    master_key_file: Annotated[
        Path | None,
        typer.Option(help="File with the key that encrypts secrets.", show_default="master.key in the data directory"),
    ] = None,
    bucket: Annotated[
        str | None,
        typer.Option(
            help="Buckets for exports and imports: NAME=gs: at Google, or NAME=FOLDER as a stand-in.",
            show_default=False,
        ),
    ] = None,
    secret_backends: Annotated[
        str | None,
        typer.Option(
            help="Where to look up secrets: local,environment,files:DIR,vault:URL,google.", show_default="local"
        ),
    ] = None,
    api_key_file: Annotated[
        Path | None, typer.Option(help="File with API keys, one per line: KEY, ROLE KEY or ROLE NAME KEY.")
    ] = None,
    oidc_issuer: Annotated[str | None, typer.Option(help="Identity provider whose tokens are accepted.")] = None,
    oidc_audience: Annotated[str | None, typer.Option(help="Audience that its tokens must have.")] = None,
    oidc_roles_claim: Annotated[
        str | None,
        typer.Option(help="Claim that contains the roles, such as realm_access.roles.", show_default="roles"),
    ] = None,
    oidc_role_map: Annotated[
        str | None,
        typer.Option(help="VALUE=ROLE,…: role for each value of the claim; roles are admin, editor, runtime."),
    ] = None,
    insecure: Annotated[
        bool | None, typer.Option("--insecure", help="Let other machines use the server without authentication.")
    ] = None,
    cors_origins: Annotated[
        str | None, typer.Option(help="Origins whose web pages may use the API: https://shop.example,… or *.")
    ] = None,
    rate_limit: Annotated[str | None, typer.Option(help="Limit of requests per caller, such as 600/min.")] = None,
    rate_limit_turns: Annotated[str | None, typer.Option(help="Limit of turns per caller, such as 60/min.")] = None,
    drain_seconds: Annotated[
        int | None, typer.Option(help="Seconds that running requests have when the server stops.", show_default="25")
    ] = None,
    drain_delay: Annotated[
        int | None, typer.Option(help="Seconds before that in which health checks report draining.", show_default="0")
    ] = None,
    log_level: LogLevel = None,
    log_format: Annotated[
        str | None, typer.Option(help="Log format: json or text.", show_default="text on a terminal, else json")
    ] = None,
) -> None:
    """Run the server: the API over REST and gRPC.

    Every option can also be set as a variable OPENPLAYBOOK_… or in openplaybook.toml.
    """
    from openplaybook.cli.announcement import announce
    from openplaybook.server.lifecycle import run
    from openplaybook.server.settings import load_settings

    flags: dict[str, JsonValue] = {
        "host": host,
        "port": port,
        "grpc_port": grpc_port,
        "public_url": public_url,
        "tls_cert": tls_cert,
        "tls_key": tls_key,
        "tls_passphrase_file": tls_passphrase_file,
        "max_connections": max_connections,
        "trusted_proxies": trusted_proxies,
        "max_body_bytes": max_body_bytes,
        "max_grpc_message_bytes": max_grpc_message_bytes,
        "max_bytes_in_flight": max_bytes_in_flight,
        "data_dir": data_dir,
        "database_url": database_url,
        "database_connections": database_connections,
        "session_ttl": session_ttl,
        "conversation_retention": conversation_retention,
        "model": model,
        "model_aliases": model_aliases,
        "egress_allow": egress_allow,
        "external_references": external_references,
        "parser_memory_mb": parser_memory_mb,
        "parser_seconds": parser_seconds,
        "google_identity": google_identity,
        "service_accounts": service_accounts,
        "service_directory": service_directory,
        "code_executor": code_executor,
        "code_python": code_python,
        "code_preload": code_preload,
        "code_timeout": code_timeout,
        "code_memory_mb": code_memory_mb,
        "code_processes": code_processes,
        "code_concurrency": code_concurrency,
        "code_interpreters": code_interpreters,
        "code_sessions": code_sessions,
        "code_kubernetes": code_kubernetes,
        "code_e2b": code_e2b,
        "master_key_file": master_key_file,
        "bucket": bucket,
        "secret_backends": secret_backends,
        "api_key_file": api_key_file,
        "oidc_issuer": oidc_issuer,
        "oidc_audience": oidc_audience,
        "oidc_roles_claim": oidc_roles_claim,
        "oidc_role_map": oidc_role_map,
        "insecure": insecure,
        "cors_origins": cors_origins,
        "rate_limit": rate_limit,
        "rate_limit_turns": rate_limit_turns,
        "drain_seconds": drain_seconds,
        "drain_delay": drain_delay,
        "log_level": log_level,
        "log_format": log_format,
    }
    run(load_settings(flags, os.environ), announce)
