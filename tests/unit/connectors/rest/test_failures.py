"""What systems say of failures, as they say it, is understood as manifests describe it."""

import pytest

from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    PermissionRefused,
    RateLimited,
    SystemUnavailable,
)
from openplaybook.connectors.rest.failures import failure_of
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.rest.systems import manifests
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue


def failure(system: str, status: int, reply: JsonValue) -> ConnectorError | None:
    response = HttpResponse(status, (), b"", False, 0.0)
    return failure_of(manifests()[system].failures, SystemRequest("GET", "/a"), response, reply, ())


def fault(code: str, message: str, **detail: JsonValue) -> JsonValue:
    """A fault of SOAP as it is read."""
    return {"fault": {"code": code, "message": message, "detail": detail}}


TAKEN: JsonValue = {"Validation_Error": [{"Message": "It is taken.", "Xpath": "/a/b"}, {"Message": "It is late."}]}
REPLIES: list[tuple[str, int, JsonValue, type[ConnectorError], str]] = [
    (
        "workday",
        500,
        fault("Client.validationError", "Validation error.", Validation_Fault=TAKEN),
        InvalidValue,
        "/a/b: Client.validationError: It is taken.; It is late.",
    ),
    ("workday", 500, fault("Client.validationError", "Invalid ID value."), EntityNotFound, "Invalid ID value"),
    ("workday", 500, fault("Client.authenticationError", "invalid username"), AuthenticationRefused, "invalid user"),
    ("workday", 500, fault("Server", "The task submitted is not authorized."), PermissionRefused, "not authorized"),
    ("slack", 200, {"ok": False, "error": "channel_not_found"}, EntityNotFound, "channel_not_found"),
    ("slack", 200, {"ok": False, "error": "invalid_auth"}, AuthenticationRefused, "invalid_auth"),
    ("slack", 200, {"ok": False, "error": "missing_scope", "needed": "chat:write"}, PermissionRefused, "missing_scope"),
    ("slack", 200, {"ok": False, "error": "no_text"}, InvalidValue, "no_text"),
    ("slack", 429, {"ok": False, "error": "ratelimited"}, RateLimited, "ratelimited"),
    ("slack", 200, {"ok": False, "error": "fatal_error"}, SystemUnavailable, "fatal_error"),
    (
        "servicenow",
        404,
        {
            "error": {"message": "No Record found", "detail": "Record doesn't exist or ACL restricts"},
            "status": "failure",
        },
        EntityNotFound,
        "Record doesn't exist",
    ),
    ("servicenow", 401, {"error": {"message": "User Not Authenticated"}}, AuthenticationRefused, "User Not"),
    (
        "box",
        409,
        {
            "type": "error",
            "status": 409,
            "code": "item_name_in_use",
            "message": "Item with the same name already exists",
        },
        EntityConflict,
        "Item with the same name",
    ),
    ("box", 404, {"code": "not_found", "message": "Not Found"}, EntityNotFound, "Not Found"),
    (
        "confluence",
        404,
        {"errors": [{"status": 404, "code": "NOT_FOUND", "title": "Not Found", "detail": None}]},
        EntityNotFound,
        "Not Found",
    ),
    (
        "dropbox",
        409,
        {"error_summary": "path/not_found/..", "error": {".tag": "path"}},
        EntityNotFound,
        "path/not_found",
    ),
    ("dropbox", 409, {"error_summary": "to/conflict/file/.", "error": {".tag": "to"}}, EntityConflict, "to/conflict"),
    ("dropbox", 409, {"error_summary": "path/malformed_path/", "error": {}}, InvalidValue, "path/malformed_path"),
    ("docusign", 400, {"errorCode": "ENVELOPE_DOES_NOT_EXIST", "message": "none"}, EntityNotFound, "ENVELOPE_DOES"),
    ("docusign", 400, {"errorCode": "BURST_APIINVOCATION_LIMIT_EXCEEDED", "message": "slow"}, RateLimited, "slow"),
    ("docusign", 400, {"errorCode": "INVALID_EMAIL_ADDRESS", "message": "bad"}, InvalidValue, "bad"),
    (
        "elasticsearch",
        404,
        {"error": {"type": "index_not_found_exception", "reason": "no"}},
        EntityNotFound,
        "index_not",
    ),
    ("kintone", 400, {"code": "GAIA_RE01", "id": "x", "message": "none"}, EntityNotFound, "none"),
    ("kintone", 409, {"code": "GAIA_CO02", "message": "old"}, EntityConflict, "old"),
    ("magento", 400, {"message": "bad %fieldName", "parameters": {"fieldName": "sku"}}, InvalidValue, "sku"),
    ("jira-service-management", 403, {"errorMessage": "not yours"}, PermissionRefused, "not yours"),
    (
        "mailchimp",
        400,
        {"title": "Invalid Resource", "detail": "d", "errors": [{"field": "email_address", "message": "required"}]},
        InvalidValue,
        "email_address",
    ),
    ("mailchimp", 400, {"title": "Member Exists", "detail": "a@b.c is one"}, EntityConflict, "a@b.c is one"),
    (
        "paypal",
        422,
        {
            "name": "UNPROCESSABLE_ENTITY",
            "message": "m",
            "details": [{"issue": "ORDER_NOT_APPROVED", "description": "d"}],
        },
        InvalidValue,
        "UNPROCESSABLE_ENTITY: d",
    ),
    ("paypal", 401, {"error": "invalid_token", "error_description": "expired"}, AuthenticationRefused, "expired"),
]


@pytest.mark.parametrize(("system", "status", "reply", "kind", "said"), REPLIES)
def test_a_failure_is_what_its_system_means_by_it(
    system: str, status: int, reply: JsonValue, kind: type[ConnectorError], said: str
) -> None:
    error = failure(system, status, reply)
    assert type(error) is kind
    assert said in str(error)


@pytest.mark.parametrize(("system", "reply"), [("slack", {"ok": True}), ("box", {"code": "x"}), ("dropbox", None)])
def test_a_reply_that_is_none_is_no_failure(system: str, reply: JsonValue) -> None:
    assert failure(system, 200, reply) is None
