"""What one call of each RPC may cost, as `rpc_limits.toml` says."""

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib import resources

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.wire.api import Method, unversioned
from openplaybook.wire.context import Limits, RpcLimit

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class LimitGroup:
    """RPCs that have the same limits."""

    name: str
    limit: RpcLimit
    rpcs: Sequence[str]
    """Names without versions, `*` for any letters; those that begin with `*.` are of any service."""

    def has(self, name: str) -> bool:
        """Whether an RPC, by its name without version, is one of them."""
        short = f"*.{name.rpartition('.')[2]}"
        return any(fnmatchcase(short if pattern.startswith("*.") else name, pattern) for pattern in self.rpcs)


def limits_up_to(max_body_bytes: int) -> Limits:
    """The table, under a ceiling for all requests."""

    @functools.cache
    def limit(name: str) -> RpcLimit:
        own = group_of(name).limit
        return replace(own, body=max_body_bytes if own.body is None else min(own.body, max_body_bytes))

    def of(method: Method) -> RpcLimit:
        return limit(method.full_name)

    return of


def group_of(method: str) -> LimitGroup:
    """The group of an RPC, by its full name; `LookupError` for one that the table does not know."""
    name = unversioned(method)
    for group in limit_groups():
        if group.has(name):
            return group
    raise LookupError(f"rpc_limits.toml does not name {name}")


@functools.cache
def limit_groups() -> Sequence[LimitGroup]:
    """The table, in its order."""
    text = resources.files(__package__ or "").joinpath("rpc_limits.toml").read_text(encoding="utf-8")
    return [_group(name, as_object(table)) for name, table in tomllib.loads(text).items()]


def _group(name: str, table: JsonObject) -> LimitGroup:
    limit = RpcLimit(
        body=table["mib"] * _MIB if "mib" in table else None,
        seconds=table.get("seconds"),
        longest=table.get("longest"),
        is_cancelled=table.get("ends") != "itself",
    )
    return LimitGroup(name, limit, [str(rpc) for rpc in as_list(table["rpcs"])])
