"""`openplaybook serve`: the server."""

from pathlib import Path
from typing import Annotated

import typer

from openplaybook.cli.options import DataDir, GrpcPort, Host, LogLevel, ModelName, Port, settings_of


def serve(
    host: Host = None,
    port: Port = None,
    grpc_port: GrpcPort = None,
    data_dir: DataDir = None,
    model: ModelName = None,
    model_aliases: Annotated[
        str | None, typer.Option(help="NAME=KIND:NAME,…: models for the names that agents ask for.")
    ] = None,
    egress_allow: Annotated[
        str | None, typer.Option(help="Private addresses that tools may reach, such as 10.0.0.0/8,127.0.0.1.")
    ] = None,
    external_references: Annotated[
        bool | None,
        typer.Option(
            "--external-references", help="Fetch what OpenAPI documents refer to at other URLs when a tool is saved."
        ),
    ] = None,
    max_body_bytes: Annotated[int | None, typer.Option(help="Largest request.", show_default="96 MiB")] = None,
    parser_memory_mb: Annotated[
        int | None, typer.Option(help="Memory of the process that reads a large OpenAPI document.", show_default="1024")
    ] = None,
    parser_seconds: Annotated[
        int | None, typer.Option(help="Time that it may take for one document.", show_default="20")
    ] = None,
    public_url: Annotated[str | None, typer.Option(help="Where clients reach the server, if not here.")] = None,
    api_key_file: Annotated[
        Path | None, typer.Option(help="File of API keys, one a line; requests must carry one of them.")
    ] = None,
    insecure: Annotated[
        bool | None, typer.Option("--insecure", help="Listen on other than loopback addresses without API keys.")
    ] = None,
    google_identity: Annotated[
        bool | None,
        typer.Option("--google-identity", help="Tools are known by this server's Google credentials, not by its own."),
    ] = None,
    service_accounts: Annotated[
        str | None, typer.Option(help="EMAIL=KEY_FILE,EMAIL=impersonated,…: service accounts that tools may act as.")
    ] = None,
    service_directory: Annotated[
        str | None, typer.Option(help="projects/…/services/S=ADDRESS:PORT,…: private services; google: ask Google.")
    ] = None,
    master_key_file: Annotated[
        Path | None, typer.Option(help="File of the key that seals secrets.", show_default="master.key in the data")
    ] = None,
    secret_backends: Annotated[
        str | None,
        typer.Option(
            help="Where secrets are looked up: local,environment,files:DIR,vault:URL,google.", show_default="local"
        ),
    ] = None,
    database_url: Annotated[str | None, typer.Option(hidden=True)] = None,
    log_level: LogLevel = None,
) -> None:
    """Serve the API over REST and gRPC until told to stop.

    Every option can also be given as a variable OPENPLAYBOOK_… or in openplaybook.toml.
    """
    from openplaybook.cli.announcement import announce
    from openplaybook.server.main import run

    settings = settings_of(
        host=host,
        port=port,
        grpc_port=grpc_port,
        data_dir=data_dir,
        model=model,
        model_aliases=model_aliases,
        egress_allow=egress_allow,
        external_references=external_references,
        max_body_bytes=max_body_bytes,
        parser_memory_mb=parser_memory_mb,
        parser_seconds=parser_seconds,
        public_url=public_url,
        api_key_file=api_key_file,
        insecure=insecure,
        google_identity=google_identity,
        service_accounts=service_accounts,
        service_directory=service_directory,
        master_key_file=master_key_file,
        secret_backends=secret_backends,
        database_url=database_url,
        log_level=log_level,
    )
    run(settings, announce)
