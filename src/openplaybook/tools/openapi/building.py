"""From a stored tool with an `openApiSpec` to an `OpenApiTool`."""

import base64
import binascii
from collections.abc import Sequence

from openplaybook.credentials.base import Authenticator, NoAuthentication
from openplaybook.credentials.builder import authenticator_for
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.egress.base import Transport
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls import trusting
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.openapi.compiling import Owner
from openplaybook.tools.openapi.document import Document, UnreadableDocument, load_document
from openplaybook.tools.openapi.tool import Connection, OpenApiTool

_PATH = "$.openApiSpec"


def build(resource: JsonObject, spec: JsonObject, transport: Transport) -> OpenApiTool:
    """The tool for an `openApiSpec` (v3beta1 `Tool.OpenApiTool`, JSON form); raises `InvalidTool`.

    Operations that cannot be called do not make the tool invalid; a document without any operation does.
    """
    problems: list[Problem] = []
    document = _document(spec, problems)
    authenticator = _authenticator(spec, problems)
    certificates = _certificates(spec, problems)
    if document is None or problems:
        raise InvalidTool(problems)
    service = as_object(spec.get("serviceDirectoryConfig")).get("service")
    refusal = "calls through Service Directory are not supported by this server yet" if service else ""
    owner = Owner(str(resource.get("name", "")), str(resource.get("displayName", "")))
    tool = OpenApiTool(owner, document, Connection(transport, authenticator, certificates, refusal))
    if not tool.entries:
        raise InvalidTool(tool.problems())
    return tool


def remarks(tool: OpenApiTool) -> Sequence[Problem]:
    """What is wrong with the tool's document; an error only when nothing in it can be called."""
    found = list(tool.problems())
    if not tool.actions():
        found.append(Problem(f"{_PATH}.textSchema", "none of the description's operations can be called"))
    return found


def _document(spec: JsonObject, problems: list[Problem]) -> Document | None:
    path = f"{_PATH}.textSchema"
    text = spec.get("textSchema")
    if not isinstance(text, str) or not text.strip():
        problems.append(Problem(path, "is required (an OpenAPI description as JSON or YAML)"))
        return None
    try:
        return load_document(text)
    except UnreadableDocument as error:
        problems.append(Problem(path, str(error), error.line))
        return None


def _authenticator(spec: JsonObject, problems: list[Problem]) -> Authenticator:
    try:
        return authenticator_for(as_object(spec.get("authentication")))
    except InvalidAuthentication as error:
        problems.append(Problem(f"{_PATH}.authentication{error.path.removeprefix('$')}", error.message))
        return NoAuthentication()


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
