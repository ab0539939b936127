"""Every RPC of the API is reachable over both transports, and one that is asked nonsense says so in Google's form."""

import re
from collections import Counter

import grpc
import pytest

from openplaybook.wire.api import Api, load_api
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server

UNSERVED_OR_REFUSED = {"INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED"}


@pytest.fixture(scope="module")
def api() -> Api:
    return load_api()


def test_over_grpc_an_empty_request_never_breaks_the_server(server: Server, api: Api) -> None:
    seen: Counter[str] = Counter()
    with grpc.insecure_channel(server.grpc) as channel:
        for method in api.methods.values():
            if method.client_streaming or method.server_streaming:
                continue
            path = "/{}/{}".format(*method.full_name.rsplit(".", 1))
            call = channel.unary_unary(path).future(b"", timeout=20)
            assert call.code() is grpc.StatusCode.OK or call.details() != "", path
            seen[call.code().name] += 1
    assert seen.keys() <= {"OK", *UNSERVED_OR_REFUSED}, seen
    assert seen.total() > 400


def test_over_rest_names_of_nothing_never_break_the_server(rest: Rest, api: Api) -> None:
    seen: Counter[str] = Counter()
    for method in api.methods.values():
        for binding in method.bindings:
            answer = rest.send(binding.verb, path_of_nothing(binding.template), b"{}" if binding.body else None)
            assert answer.status != 500, (binding.template, answer.body)
            seen["OK" if answer.status == 200 else answer.error[1]] += 1
    assert seen.keys() <= {"OK", *UNSERVED_OR_REFUSED}, seen
    assert seen.total() > 400


def path_of_nothing(template: str) -> str:
    """A path that fits the template, with `x` for every id."""
    path = re.sub(r"\{[^=}]+=([^}]+)\}", r"\1", template)
    return re.sub(r"\*+|\{\w+\}", "x", path)
