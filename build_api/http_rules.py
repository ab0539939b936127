"""REST bindings of RPCs, from the tables of the generated REST transports."""

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.api import http_pb2
from google.protobuf.descriptor_pb2 import MethodDescriptorProto

from build_api.options import HTTP

Binding = tuple[str, str, str]
"""HTTP method in lower case, path template, body (`*`, a field name, or nothing)."""


def bindings_of(service_module: str) -> Mapping[str, Sequence[Binding]]:
    """The REST bindings of every RPC of a service module, and of the mixins it offers, by RPC name."""
    module = importlib.import_module(f"{service_module}.transports.rest_base")
    bases: list[Any] = [value for name, value in vars(module).items() if name.endswith("RestTransport")]
    own = [base for base in bases if base.__module__ == module.__name__]
    if len(own) != 1:
        raise ValueError(f"{module.__name__}: one REST transport expected, found {len(own)}")
    found: dict[str, Sequence[Binding]] = {}
    for name, value in vars(own[0]).items():
        if name.startswith("_Base") and hasattr(value, "_get_http_options"):
            found[name.removeprefix("_Base")] = [
                (option["method"], option["uri"], option.get("body", "")) for option in value._get_http_options()
            ]
    return found


def set_bindings(method: MethodDescriptorProto, bindings: Iterable[Binding]) -> None:
    """Replaces the HTTP rule of a method; the first binding is the rule, the others stand beside it."""
    method.options.ClearExtension(HTTP)
    for index, (verb, template, body) in enumerate(bindings):
        rule = method.options.Extensions[HTTP]
        target = rule if index == 0 else rule.additional_bindings.add()
        _fill(target, verb, template, body)


def _fill(rule: http_pb2.HttpRule, verb: str, template: str, body: str) -> None:
    if verb not in ("get", "put", "post", "delete", "patch"):
        raise ValueError(f"{verb} {template}: not a verb that google.api.http has a field for")
    setattr(rule, verb, template)
    rule.body = body
