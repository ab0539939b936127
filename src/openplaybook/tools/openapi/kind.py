"""OpenAPI: an `openApiSpec` of Dialogflow CX, an `openApiTool` or `openApiToolset` of CX Agent Studio."""

from collections.abc import Callable, Mapping, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.call_spellings import OPENAPI
from openplaybook.resources.tool_kinds import (
    CallCheck,
    KindField,
    SecretField,
    StoredKind,
    TextPlace,
    ToolMessage,
    ToolsetTools,
)
from openplaybook.tools.base import InvalidTool, Problem, Tool
from openplaybook.tools.openapi.app_forms import converted, first_operation, form_of_tool, form_of_toolset, offers
from openplaybook.tools.openapi.check_process import check_apart, is_apart
from openplaybook.tools.openapi.credential_destinations import CredentialUse
from openplaybook.tools.openapi.description.document_bundle import NOWHERE
from openplaybook.tools.openapi.description.missing_documents import missing_documents
from openplaybook.tools.openapi.description.source_text import with_lines
from openplaybook.tools.openapi.openapi_tool import OpenApiTool
from openplaybook.tools.openapi.tool_builder import build, remarks
from openplaybook.tools.openapi.tool_settings import settings_of
from openplaybook.tools.tool_kind import DescribedRoutes, DocumentsElsewhere, ToolKind, ToolParts

_AUTHENTICATIONS = (
    ("openApiSpec", "authentication"),
    ("openApiSpec", "securitySchemeAuthentications", "authentication"),
)
_SECRETS = (
    ("apiKeyConfig", "apiKey", "secretVersionForApiKey"),
    ("oauthConfig", "clientSecret", "secretVersionForClientSecret"),
    ("bearerTokenConfig", "token", "secretVersionForToken"),
    ("basicAuthConfig", "password", "secretVersionForPassword"),
)
_ENDINGS = r"\.(?:ya?ml|json)"
_FREE = frozenset({"openApiSchema", "url", "ignoreUnknownFields", "apiAuthentication"})
_APP_PATHS = (
    ("$.openApiSpec.textSchema", "{kind}.openApiSchema"),
    ("$.openApiSpec.authentication", "{kind}.apiAuthentication"),
    ("$.openApiSpec.settings.serverUrl", "{kind}.url"),
    ("$.openApiSpec.settings.totalTimeout", "timeout"),
    ("$.openApiSpec.settings.operationSelection.operationIds", "{kind}.name"),
    ("$.openApiSpec", "{kind}"),
)


def _check(
    resource: JsonObject, spec: JsonObject, parts: Callable[[], ToolParts], built: Callable[[], Tool]
) -> Sequence[Problem]:
    if is_apart(resource):
        problems = check_apart(resource, parts())
    else:
        try:
            tool = built()
        except InvalidTool as error:
            problems = error.problems
        else:
            problems = remarks(tool, spec) if isinstance(tool, OpenApiTool) else ()
    return with_lines(problems, str(spec.get("textSchema") or ""))


def _missing(spec: JsonObject, texts: Mapping[str, str]) -> Sequence[str]:
    """Web addresses of the documents that a description refers to."""
    settings = settings_of(spec)
    known = {**settings.documents, **texts}
    uris = missing_documents(str(spec.get("textSchema", "")), known, settings.document_uri)
    return [uri for uri in uris if uri.startswith(("http://", "https://")) and not uri.startswith(NOWHERE)]


def _app_secret(field: str) -> tuple[SecretField, ...]:
    """Google takes only variables there; what others made may hold secrets all the same."""
    return (SecretField((field, "apiAuthentication", "bearerTokenConfig"), "token"),)


KIND = ToolKind(
    StoredKind(
        name="openapi",
        noun="OpenAPI tool",
        fields=(
            KindField(
                "openApiSpec",
                ToolMessage.TOOL,
                "OpenAPI",
                secrets=tuple(
                    SecretField((*at, config), key, version)
                    for config, key, version in _SECRETS
                    for at in _AUTHENTICATIONS
                ),
                credentials=("authentication", "securitySchemeAuthentications"),
                free=frozenset(
                    {"textSchema", "settings", "ignoreUnknownFields", "authentication", "securitySchemeAuthentications"}
                ),
                service=("serviceDirectoryConfig", "service"),
                texts=(TextPlace(("textSchema",), _ENDINGS),),
                form=OPENAPI,
            ),
            KindField(
                "openApiTool",
                ToolMessage.APP_TOOL,
                "OpenAPI",
                secrets=_app_secret("openApiTool"),
                credentials=("apiAuthentication",),
                free=_FREE | {"name", "description"},
                texts=(TextPlace(("openApiSchema",), _ENDINGS),),
                toolbox_form=form_of_tool,
                toolbox_paths=_APP_PATHS,
                own_name=first_operation,
            ),
            KindField(
                "openApiToolset",
                ToolMessage.APP_TOOLSET,
                "OpenAPI toolset",
                secrets=_app_secret("openApiToolset"),
                credentials=("apiAuthentication",),
                free=_FREE,
                texts=(TextPlace(("openApiSchema",), _ENDINGS),),
                toolbox_form=form_of_toolset,
                toolbox_paths=_APP_PATHS,
                toolset=ToolsetTools(
                    "openApiTool",
                    shared=("apiAuthentication", "tlsConfig", "serviceDirectoryConfig", "ignoreUnknownFields", "url"),
                ),
            ),
        ),
        call_check=CallCheck.ARGUMENTS,
        offers=offers,
        conversion=converted,
    ),
    {"openApiSpec": build},
    check=_check,
    routes=DescribedRoutes(("textSchema", "settings"), CredentialUse),
    elsewhere=DocumentsElsewhere(_missing, ("settings", "documents")),
)
