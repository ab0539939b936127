"""From a stored tool with an `openApiSpec` to an `OpenApiTool`."""

import base64
import binascii
from collections.abc import Sequence

from openplaybook.credentials.directory.configured import SERVICE_FORM, SERVICE_NAME
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls import trusting
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.openapi.compiling import Owner
from openplaybook.tools.openapi.connection import Connection
from openplaybook.tools.openapi.document import Document, load_document
from openplaybook.tools.openapi.index import NO_OPERATIONS
from openplaybook.tools.openapi.lines import with_lines
from openplaybook.tools.openapi.security import Security, security_of
from openplaybook.tools.openapi.settings import ToolSettings, settings_of
from openplaybook.tools.openapi.tool import OpenApiTool
from openplaybook.tools.openapi.unreadable import UnreadableDocument

_PATH = "$.openApiSpec"


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> OpenApiTool:
    """The tool for an `openApiSpec` (v3beta1 `Tool.OpenApiTool`, JSON form); raises `InvalidTool`.

    Operations that cannot be called do not make the tool invalid; a document without any operation does.
    """
    problems: list[Problem] = []
    settings = _settings(spec, problems)
    document = _document(spec, settings or ToolSettings(), problems)
    security = _security(spec, document, parts, problems)
    certificates = _certificates(spec, problems)
    service = _service(spec, problems)
    if document is None or settings is None or security is None or problems:
        raise InvalidTool(problems)
    owner = Owner(str(resource.get("name", "")), str(resource.get("displayName", "")))
    connection = Connection(
        parts.transport,
        parts.credentials,
        security,
        settings,
        certificates,
        service=service,
        agent=owner.name.partition("/tools/")[0],
        client_certificate=parts.scope.client_certificate,
    )
    tool = OpenApiTool(owner, document, connection, settings)
    if not tool.entries:
        found = [*tool.problems(), Problem("$.paths", NO_OPERATIONS)]
        raise InvalidTool(with_lines(found, str(spec["textSchema"])))
    return tool


def remarks(tool: OpenApiTool, spec: JsonObject) -> Sequence[Problem]:
    """What is wrong with the tool's document; an error only when nothing in it can be called."""
    found = list(tool.problems())
    if not tool.actions():
        found.append(Problem(f"{_PATH}.textSchema", "none of the description's operations can be called"))
    return with_lines(found, str(spec.get("textSchema", "")))


def _document(spec: JsonObject, settings: ToolSettings, problems: list[Problem]) -> Document | None:
    path = f"{_PATH}.textSchema"
    text = spec.get("textSchema")
    if not isinstance(text, str) or not text.strip():
        problems.append(Problem(path, "is required (an OpenAPI description as JSON or YAML)"))
        return None
    try:
        return load_document(text, settings)
    except UnreadableDocument as error:
        problems.append(Problem(path, str(error), error.line))
        return None


def _settings(spec: JsonObject, problems: list[Problem]) -> ToolSettings | None:
    try:
        return settings_of(spec)
    except InvalidTool as error:
        problems.extend(error.problems)
        return None


def _security(spec: JsonObject, document: Document | None, parts: Parts, problems: list[Problem]) -> Security | None:
    """Who we are to the service; judged without a description too, so that all that is wrong is told at once."""
    root = document.root if document is not None else None
    try:
        return security_of(spec, root, parts.credentials, has_certificate=bool(parts.scope.client_certificate))
    except InvalidAuthentication as error:
        problems.append(Problem(f"{_PATH}.{error.path.removeprefix('$.')}", error.message))
        return None


def _service(spec: JsonObject, problems: list[Problem]) -> str:
    """The name of a private service; empty when there is none."""
    name = str(as_object(spec.get("serviceDirectoryConfig")).get("service") or "")
    if name and not SERVICE_NAME.fullmatch(name):
        problems.append(Problem(f"{_PATH}.serviceDirectoryConfig.service", f"must have the form {SERVICE_FORM}"))
    return name


def _certificates(spec: JsonObject, problems: list[Problem]) -> tuple[bytes, ...]:
    """The tool's own CA certificates, decoded from the base64 of JSON's bytes fields."""
    certificates: list[bytes] = []
    for position, entry in enumerate(as_list(as_object(spec.get("tlsConfig")).get("caCerts"))):
        try:
            certificate = base64.b64decode(str(as_object(entry).get("cert", "")), validate=True)
            trusting([certificate])
            certificates.append(certificate)
        except (binascii.Error, TlsFailed):
            path = f"{_PATH}.tlsConfig.caCerts[{position}].cert"
            problems.append(Problem(path, "must be a certificate in DER or PEM form, base64-encoded"))
    return tuple(certificates)
