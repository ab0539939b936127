"""Conversations as JSON lines, in a file that is there when it is complete."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.output import progress
from openplaybook.cli.resource_lookup import conversation_path, is_app
from openplaybook.jsonvalues import JsonObject, dumps_line, loads

_SIDE = ".part"
"""Behind the name of a file that is not complete."""


def export(api: ApiClient, agent: str, output: Path, *, filter_text: str, after: str) -> None:
    """Write every conversation of an agent that the filter finds; `after` (a full name) and what is newer is left out.

    Raises `CommandError`. What a broken export wrote stays in `FILE.part`, and with `after` is added to.
    """
    to_stdout = output == Path("-")
    count, last = 0, after
    with progress() as tell, _stdout() if to_stdout else _file(output, after) as write:
        try:
            for name in _names(api, agent, filter_text, after):
                conversation = _read(api, name)
                if conversation is None:
                    continue
                write.write(f"{dumps_line(conversation, sort_keys=True)}\n".encode())
                count, last = count + 1, name
                if not to_stdout:
                    tell(_counted(count))
        except (CommandError, KeyboardInterrupt) as error:
            write.flush()
            if isinstance(error, CommandError) and last == "":
                raise
            hint = f"; continue with --after {last.rsplit('/', 1)[-1]}" if last else ""
            raise CommandError(f"stopped after {_counted(count)}{hint}: {error or 'interrupted'}") from error
    if not to_stdout:
        typer.echo(f"{output}: {_counted(count)}")


def _names(api: ApiClient, agent: str, filter_text: str, after: str) -> Iterator[str]:
    """Full names, newest first, those behind `after` where it is given."""
    path, wanted = f"{conversation_path(agent)}/conversations", filter_text
    if after:
        # The list begins there: what is newer need not be looked at again.
        field = "start_time" if is_app(agent) else "create_time"
        bound = f'{field} <= "{api.get(conversation_path(after))["startTime"]}"'
        wanted = f"{bound} AND ({filter_text})" if filter_text else bound
    names = (
        str(conversation["name"]) for conversation in api.list(path, "conversations", page_size=100, filter=wanted)
    )
    if after:
        for name in names:
            if name == after:
                break
    yield from names


def _read(api: ApiClient, name: str) -> JsonObject | None:
    """A conversation with its interactions; None when it has been deleted since it was listed."""
    try:
        return api.get(conversation_path(name))
    except ApiError as error:
        if error.status == "NOT_FOUND":
            return None
        raise


@contextmanager
def _stdout() -> Generator[IO[bytes]]:
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@contextmanager
def _file(output: Path, after: str) -> Generator[IO[bytes]]:
    """The file, under its name once the block has ended well."""
    side = output.with_name(output.name + _SIDE)
    try:
        with side.open("r+b" if after and side.exists() else "w+b") as file:
            if after:
                _keep_until(file, after, side)
            yield file
            file.flush()
            os.fsync(file.fileno())
        side.replace(output)
    except OSError as error:
        raise CommandError(f"{output} cannot be written: {error.strerror}") from error


def _keep_until(file: IO[bytes], name: str, side: Path) -> None:
    """Cut off what stands behind the line of a conversation, which may be half a line."""
    lines = iter(file.readline, b"")
    if any(line.endswith(b"\n") and loads(line)["name"] == name for line in lines):
        file.truncate(file.tell())
    elif file.tell():
        raise CommandError(f"{side} does not contain {name}; give the last conversation in it, or remove the file")


def _counted(count: int) -> str:
    return f"{count:,} conversation{'' if count == 1 else 's'}"
