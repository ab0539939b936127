"""What callers are not told: where on its machine the server keeps its files."""

import re
from dataclasses import fields
from pathlib import Path

from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest

from openplaybook.server.settings import Settings
from openplaybook.telemetry.own_paths import without_own_paths
from openplaybook.wire.errors import RpcError

_PATH = re.compile(r"(?<![/\w.])/[^\s,;=&?/][^\s,;=&?]*")
"""In a text of several settings, such as `files:/run/secrets,vault:https://…?token_file=/run/token`."""


def files_of(settings: Settings) -> list[Path]:
    """The files and folders that settings name."""
    values = [getattr(settings, field.name) for field in fields(settings)]
    named = [Path(found) for value in values if isinstance(value, str) for found in _PATH.findall(value)]
    return [*(value for value in values if isinstance(value, Path)), *named]


def told_without_paths(error: RpcError) -> RpcError:
    """The same error without paths of the server; itself where it names none."""
    message = without_own_paths(error.message)
    details = [_without_paths(detail) for detail in error.details]
    if message == error.message and details == list(error.details):
        return error
    return RpcError(error.code, message, details, error.headers)


def _without_paths(detail: Message) -> Message:
    if not isinstance(detail, BadRequest):
        return detail
    cleaned = BadRequest()
    cleaned.CopyFrom(detail)
    for violation in cleaned.field_violations:
        violation.description = without_own_paths(violation.description)
    return cleaned
