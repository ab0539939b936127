"""`openplaybook demo`: the server with the demo agent, and the service that the agent's tool calls."""

import os
from typing import Annotated

import typer

from openplaybook.cli.options import DataDir, GrpcPort, Host, ModelName, Port

_LOG_LEVEL = "warning"
"""A line for each request would bury what a person is told."""


def demo(
    host: Host = None,
    port: Port = None,
    grpc_port: GrpcPort = None,
    data_dir: DataDir = None,
    model: ModelName = None,
    log_level: Annotated[
        str | None, typer.Option(help="Log level: debug, info, warning or error.", show_default=_LOG_LEVEL)
    ] = None,
) -> None:
    """Run the demo agent and the pets service that it calls.

    The agent keeps a register of pets. Its tool calls a real HTTP service on this machine.
    """
    from openplaybook.cli.demo_server import run_demo
    from openplaybook.server.settings import load_settings

    flags = {
        "host": host,
        "port": port,
        "grpc_port": grpc_port,
        "data_dir": data_dir,
        "model": model,
        "log_level": log_level,
    }
    run_demo(load_settings(flags, os.environ, defaults={"log_level": _LOG_LEVEL}))
