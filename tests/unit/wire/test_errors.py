"""Errors as both transports state them."""

import http

import pytest
from google.rpc import code_pb2, status_pb2
from google.rpc.error_details_pb2 import ErrorInfo

from openplaybook.wire.errors import Code, RpcError, http_status


def test_codes_are_those_of_google_rpc() -> None:
    assert {code.name: code.value for code in Code} == dict(code_pb2.Code.items())


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (Code.INVALID_ARGUMENT, http.HTTPStatus.BAD_REQUEST),
        (Code.FAILED_PRECONDITION, http.HTTPStatus.BAD_REQUEST),
        (Code.NOT_FOUND, http.HTTPStatus.NOT_FOUND),
        (Code.ALREADY_EXISTS, http.HTTPStatus.CONFLICT),
        (Code.UNAUTHENTICATED, http.HTTPStatus.UNAUTHORIZED),
        (Code.UNIMPLEMENTED, http.HTTPStatus.NOT_IMPLEMENTED),
        (Code.CANCELLED, 499),
    ],
)
def test_codes_have_http_statuses(code: Code, status: int) -> None:
    assert http_status(code) == status


def test_every_code_has_an_http_status() -> None:
    assert all(http_status(code) >= 200 for code in Code)


def test_an_error_is_json_with_its_details() -> None:
    error = RpcError(Code.NOT_FOUND, "Gone.", [ErrorInfo(reason="R", domain="d")])

    assert error.to_json() == {
        "error": {
            "code": 404,
            "message": "Gone.",
            "status": "NOT_FOUND",
            "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R", "domain": "d"}],
        }
    }


def test_an_error_is_a_status_with_its_details() -> None:
    error = RpcError(Code.NOT_FOUND, "Gone.", [ErrorInfo(reason="R")])

    status = status_pb2.Status.FromString(error.to_status())

    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (status.code, status.message, info.reason) == (5, "Gone.", "R")


def test_what_a_caller_sent_in_megabytes_is_not_sent_back() -> None:
    assert RpcError(Code.NOT_FOUND, "a" * 1_000_000).message == "a" * 10_000 + "…"
