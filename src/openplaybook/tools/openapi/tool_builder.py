"""From a stored tool with an `openApiSpec` to an `OpenApiTool`."""

import base64
import binascii
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from openplaybook.credentials.directory.configured_directory import SERVICE_FORM, SERVICE_NAME
from openplaybook.credentials.errors import InvalidAuthentication
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.egress.errors import TlsFailed
from openplaybook.egress.tls_contexts import trusting
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.openapi.description.operation_index import NO_OPERATIONS
from openplaybook.tools.openapi.description.source_text import Document, load_document
from openplaybook.tools.openapi.openapi_tool import OpenApiTool
from openplaybook.tools.openapi.operation_compiler import Owner
from openplaybook.tools.openapi.operation_security import Security, security_of
from openplaybook.tools.openapi.scheme_credentials import asked_for
from openplaybook.tools.openapi.service_connection import ServiceConnection
from openplaybook.tools.openapi.tool_settings import SELECTION_PATH, ToolSettings, settings_of
from openplaybook.tools.tool_kind import ToolParts

_PATH = "$.openApiSpec"
_TEXT_PATH = f"{_PATH}.textSchema"
_MOST_TOLD = 5
"""Reasons why nothing can be called that are told."""
_MOST_FUNCTIONS = 128
"""The limit of OpenAI's chat API for `tools`; other providers' are like it."""


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> OpenApiTool:
    """The tool for an `openApiSpec` (v3beta1 `Tool.OpenApiTool`, JSON form); raises `InvalidTool`.

    Operations that cannot be called do not make the tool invalid; a document without any operation does.
    """
    problems: list[Problem] = []
    settings = _settings(spec, problems)
    document = _document(spec, settings or ToolSettings(), parts, problems)
    security = _security(spec, document, parts, problems)
    certificates = _certificates(spec, problems)
    service = _service(spec, problems)
    if document is None or settings is None or security is None or problems:
        raise InvalidTool(problems)
    owner = Owner(str(resource.get("name", "")), str(resource.get("displayName", "")))
    agent = owner.name.partition("/tools/")[0]
    settings = replace(settings, limits=replace(settings.limits, caller=agent))
    connection = ServiceConnection(
        parts.transport,
        parts.credentials,
        security,
        settings,
        certificates,
        service=service,
        agent=agent,
        client_certificate=parts.scope.client_certificate,
    )
    tool = OpenApiTool(owner, document, connection, settings)
    if not tool.entries:
        raise InvalidTool([*tool.problems(), Problem("$.paths", NO_OPERATIONS)])
    return tool


def unreadable(spec: JsonObject, parts: ToolParts, error: UnreadableDocument) -> Sequence[Problem]:
    """All that is wrong with a tool whose description cannot be read."""
    problems: list[Problem] = []
    _settings(spec, problems)
    problems.append(Problem(_TEXT_PATH, str(error), error.line))
    _security(spec, None, parts, problems)
    _certificates(spec, problems)
    _service(spec, problems)
    return problems


def unusable_credentials(spec: JsonObject, parts: ToolParts) -> Sequence[Problem]:
    """What is wrong with the one authentication for all operations, which no description changes."""
    problems: list[Problem] = []
    _security(spec, None, parts, problems)
    return problems


def remarks(tool: OpenApiTool, spec: JsonObject) -> Sequence[Problem]:
    """What is wrong with the tool's document; errors only when nothing can be called, or a setting does not fit."""
    problems = list(tool.problems())
    if tool.actions():
        problems = [*_without_credential(tool, spec), *_too_many(tool), *_summed_up([*problems, *tool.oddities()])]
    elif not any(problem.is_error for problem in problems):
        problems = _fatal(problems)
    return problems


def _summed_up(problems: Sequence[Problem]) -> list[Problem]:
    """Each message once, with its first place: clients see only some warnings, and they should not be all alike."""
    counts = Counter(problem.message for problem in problems)
    first = {problem.message: problem for problem in reversed(problems)}
    return [
        replace(first[message], message=f"{message} (and so in {count - 1:,} more places)" if count > 1 else message)
        for message, count in counts.items()
    ]


def _fatal(remarks: Sequence[Problem]) -> list[Problem]:
    """Remarks that leave nothing to call, as errors: who reads them has to know what to mend."""
    more = f" (the first {_MOST_TOLD} of {len(remarks):,} reasons follow)" if len(remarks) > _MOST_TOLD else ""
    sentence = Problem(_TEXT_PATH, f"none of the description's operations can be called{more}")
    return [sentence, *(replace(problem, is_error=True) for problem in remarks[:_MOST_TOLD])]


def _too_many(tool: OpenApiTool) -> list[Problem]:
    """That models can hardly choose among so many operations."""
    count = len(tool.actions())
    if count <= _MOST_FUNCTIONS:
        return []
    message = (
        f"offers {count:,} operations to the model; many models take {_MOST_FUNCTIONS} functions at most, and choose "
        "better among fewer: say in operationSelection which ones the agent needs"
    )
    return [Problem(SELECTION_PATH, message, is_error=False)]


def _without_credential(tool: OpenApiTool, spec: JsonObject) -> list[Problem]:
    """That the description asks for credentials and the tool has none at all; told once."""
    if as_object(spec.get("authentication")) or as_list(spec.get("securitySchemeAuthentications")):
        return []
    wanted = asked_for(tool.entries, tool.root)
    if not wanted:
        return []
    message = (
        f"calls go out without a credential, though the description asks for {wanted}: "
        "set authentication or securitySchemeAuthentications"
    )
    return [Problem("$.security", message, is_error=False)]


def _document(spec: JsonObject, settings: ToolSettings, parts: ToolParts, problems: list[Problem]) -> Document | None:
    text = spec.get("textSchema")
    if not isinstance(text, str) or not text.strip():
        problems.append(Problem(_TEXT_PATH, "is required (an OpenAPI description as JSON or YAML)"))
        return None
    try:
        return load_document(text, settings, parts.parser, parts.text)
    except UnreadableDocument as error:
        problems.append(Problem(_TEXT_PATH, str(error), error.line))
        return None


def _settings(spec: JsonObject, problems: list[Problem]) -> ToolSettings | None:
    try:
        return settings_of(spec)
    except InvalidTool as error:
        problems.extend(error.problems)
        return None


def _security(
    spec: JsonObject, document: Document | None, parts: ToolParts, problems: list[Problem]
) -> Security | None:
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
