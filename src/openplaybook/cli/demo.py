"""`openplaybook demo`: the server with the demo agent, and the service that the agent's tool calls."""

from openplaybook.cli.options import DataDir, GrpcPort, Host, LogLevel, ModelName, Port, settings_of


def demo(
    host: Host = None,
    port: Port = None,
    grpc_port: GrpcPort = None,
    data_dir: DataDir = None,
    model: ModelName = None,
    log_level: LogLevel = None,
) -> None:
    """Serve the demo agent and the pets service it calls.

    The agent keeps a register of pets; behind its tool stands a real HTTP service on this machine.
    """
    from openplaybook.cli.demo_server import run_demo

    run_demo(
        settings_of(host=host, port=port, grpc_port=grpc_port, data_dir=data_dir, model=model, log_level=log_level)
    )
