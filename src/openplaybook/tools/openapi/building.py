"""From a stored tool with an `openApiSpec` to an `OpenApiTool`."""

import base64
import binascii
from collections.abc import Sequence

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls import trusting
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.openapi.compiling import Owner
from openplaybook.tools.openapi.connection import Connection
from openplaybook.tools.openapi.document import Document, UnreadableDocument, load_document
from openplaybook.tools.openapi.security import Security, security_of
from openplaybook.tools.openapi.settings import ToolSettings, settings_of
from openplaybook.tools.openapi.tool import OpenApiTool

_PATH = "$.openApiSpec"


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> OpenApiTool:
    """The tool for an `openApiSpec` (v3beta1 `Tool.OpenApiTool`, JSON form); raises `InvalidTool`.

    Operations that cannot be called do not make the tool invalid; a document without any operation does.
    """
    problems: list[Problem] = []
    settings = _settings(spec, problems)
    document = _document(spec, problems)
    security = _security(spec, document, parts.credentials, problems)
    certificates = _certificates(spec, problems)
    if document is None or settings is None or security is None or problems:
        raise InvalidTool(problems)
    service = str(as_object(spec.get("serviceDirectoryConfig")).get("service") or "")
    owner = Owner(str(resource.get("name", "")), str(resource.get("displayName", "")))
    connection = Connection(parts.transport, parts.credentials, security, settings, certificates, service)
    tool = OpenApiTool(owner, document, connection, settings)
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


def _settings(spec: JsonObject, problems: list[Problem]) -> ToolSettings | None:
    try:
        return settings_of(spec)
    except InvalidTool as error:
        problems.extend(error.problems)
        return None


def _security(
    spec: JsonObject, document: Document | None, sources: CredentialSources, problems: list[Problem]
) -> Security | None:
    """Who we are to the service; judged without a description too, so that all that is wrong is told at once."""
    try:
        return security_of(spec, document.root if document is not None else {}, sources)
    except InvalidAuthentication as error:
        problems.append(Problem(f"{_PATH}.{error.path.removeprefix('$.')}", error.message))
        return None


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
