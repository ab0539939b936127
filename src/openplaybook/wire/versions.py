"""Stable versions of the API served by handlers that speak beta.

Each beta package contains its stable one, field by field with the same numbers (the descriptor set is checked for it
when it is built): a message of one version is read as the other by its bytes.
"""

import re

from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

BETA = {"v3": "v3beta1", "v1": "v1beta"}
"""Stable version and the beta version that contains it."""

_OPERATION = "google.longrunning.Operation"
_OPERATIONS = "google.longrunning.ListOperationsResponse"
_STABLE = {beta: stable for stable, beta in BETA.items()}
_VERSION = re.compile(r"\.v[0-9][a-z0-9]*\.")
_VERSIONED = re.compile(r"^(google\.cloud\.(?:dialogflow\.cx|ces))\.(v\w+)\.(.+)$")


def beta_name(name: str) -> str | None:
    """The name in the beta version of something in a stable one; `None` for other names."""
    return _renamed(name, BETA)


def stable_name(name: str) -> str | None:
    """The name in the stable version of something in a beta one, whether it exists there or not; `None` for others."""
    return _renamed(name, _STABLE)


def unversioned(method: str) -> str:
    """The full name of an RPC without the version of its API, whichever API it is of."""
    return _VERSION.sub(".", method, count=1)


def _renamed(name: str, versions: dict[str, str]) -> str | None:
    found = _VERSIONED.match(name)
    if found is None or found[2] not in versions:
        return None
    return f"{found[1]}.{versions[found[2]]}.{found[3]}"


def converted(message: ApiMessage, target: type[ApiMessage]) -> ApiMessage:
    """The message as another version's class; fields that it lacks are dropped."""
    result = target.FromString(message.SerializeToString())
    result.DiscardUnknownFields()
    return result


class OperationVersions:
    """Restates long-running operations, whose results carry the name of their type, in another version."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def restate(self, message: ApiMessage, version: str) -> ApiMessage:
        """An Operation, or a list of them, for a client of `version` (`v3` or `v1`): a copy in which results and
        metadata have the stable version's types, where it has them. Anything else is returned as it is."""
        name = message.DESCRIPTOR.full_name
        if version not in BETA or name not in (_OPERATION, _OPERATIONS):
            return message
        result = type(message)()
        result.CopyFrom(message)
        for operation in result.operations if name == _OPERATIONS else [result]:
            for part in ("response", "metadata"):
                if operation.HasField(part):
                    self._restate_any(getattr(operation, part))
        return result

    def _restate_any(self, value: ApiMessage) -> None:
        prefix, _, type_name = value.type_url.rpartition("/")
        stable = stable_name(type_name)
        if stable is None:
            return
        try:
            target = self._api.message(stable)
        except KeyError:
            return
        inner = target.FromString(value.value)
        inner.DiscardUnknownFields()
        value.type_url, value.value = f"{prefix}/{stable}", inner.SerializeToString(deterministic=True)
