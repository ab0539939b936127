"""The role that an RPC needs, as `rpc_roles.toml` says."""

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib import resources

from openplaybook.jsonvalues import as_list
from openplaybook.server.access.principals import Role

_VERSION = re.compile(r"\.v[0-9][a-z0-9]*\.")

TURNS = frozenset(
    {
        "google.cloud.dialogflow.cx.Sessions.DetectIntent",
        "google.cloud.dialogflow.cx.Sessions.ServerStreamingDetectIntent",
        "google.cloud.dialogflow.cx.Sessions.StreamingDetectIntent",
        "google.cloud.ces.SessionService.BidiRunSession",
        "google.cloud.ces.SessionService.RunSession",
        "google.cloud.ces.SessionService.StreamRunSession",
    }
)
"""RPCs, by name without version, that take a turn of a conversation."""


def needed_role(method: str) -> Role:
    """The least role that may call an RPC, by its full name; an administrator's where the table does not name it."""
    name = unversioned(method)
    named = roles_by_name()
    return named.get(name) or named.get(f"{name.rpartition('.')[0]}.*") or Role.ADMIN


def unversioned(method: str) -> str:
    """The full name of an RPC without the version of its API."""
    return _VERSION.sub(".", method, count=1)


@functools.cache
def roles_by_name() -> Mapping[str, Role]:
    """The table: names of RPCs, or `Service.*`, without versions."""
    text = resources.files(__package__ or "").joinpath("rpc_roles.toml").read_text(encoding="utf-8")
    return {str(name): Role(role) for role, names in tomllib.loads(text).items() for name in as_list(names)}
