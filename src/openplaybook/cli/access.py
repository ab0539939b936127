"""A server to talk to: the one that runs on the data directory, or one in this process for the time of a command."""

from collections.abc import Generator
from contextlib import contextmanager

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import settings_of
from openplaybook.jsonvalues import JsonValue
from openplaybook.storage.data_directory import DataDirectory, ServerAddress


@contextmanager
def server_api(**flags: JsonValue) -> Generator[ApiClient, None, None]:
    """The API of the data directory's server, as `settings_of` finds it with these flags.

    Raises `ServerError`, `StoreUnusable` or `ModelNotConfigured` when no server can be started, and `CommandError`
    when the flags name a model and a server runs already.
    """
    settings = settings_of(**flags)
    address = DataDirectory(settings.data_dir).running_server()
    if address is not None:
        if flags.get("model") is not None:
            raise CommandError(
                f"--model has no effect: the server {address.http} runs on {settings.data_dir} with its own model"
            )
        yield client_of(address)
        return
    # A whole server: a second of imports that a command beside a running one does not need.
    from openplaybook.cli.local_server import LocalServer

    with LocalServer(settings).running() as running:
        yield client_of(running.address, is_own=True)


def client_of(address: ServerAddress, *, is_own: bool = False) -> ApiClient:
    """A client of the server that published this address; whether it is in this process."""
    return ApiClient(address.http, address.key, address.certificate, is_own=is_own)


def server_line(api: ApiClient) -> str:
    """Which server answers, as a person is told."""
    return "server: none is running; this command starts its own" if api.is_own else f"server: {api.base_url}"
