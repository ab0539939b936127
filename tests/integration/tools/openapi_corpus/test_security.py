"""The security of real documents: every scheme can be configured, and every operation then has its credentials."""

from collections.abc import Iterator

import pytest

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.combined_credentials import UnconfiguredAuthenticator
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.description.operation_index import OperationEntry, index
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.operation_security import security_of
from openplaybook.tools.openapi.security_schemes import SecurityScheme, schemes_of
from tests.kit.openapi import Remembering
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, Described, described

LARGEST = 1_000_000
"""Bytes; larger documents have no security that these lack."""

_CONFIGS: dict[str, JsonObject] = {
    "apiKeyConfig": {"apiKey": "k"},
    "basicAuthConfig": {"username": "u", "password": "p"},
    "bearerTokenConfig": {"token": "t"},
}


def entry_for(scheme: SecurityScheme) -> JsonObject:
    """What an operator would configure: the first kind that fits."""
    kind = scheme.fitting[0]
    return {"scheme": scheme.name, "authentication": {kind: _CONFIGS[kind]}}


def asked(entry: OperationEntry, root: JsonObject) -> Iterator[str]:
    """Names of the schemes that an operation mentions."""
    own = entry.operation.get("security")
    for alternative in as_list(own if isinstance(own, list) else root.get("security")):
        yield from as_object(alternative)


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.proves("A3", "A5")
@pytest.mark.parametrize(
    "document", [each for each in described() if each.size <= LARGEST], ids=lambda document: document.id
)
def test_every_operation_has_its_credentials_once_every_scheme_has_one(document: Described) -> None:
    root = load_document(document.text()).root
    schemes = schemes_of(root)
    entries, _ = index(root)
    assert [scheme.name for scheme in schemes.values() if not scheme.fitting] == []
    spec: JsonObject = {"securitySchemeAuthentications": [entry_for(scheme) for scheme in schemes.values()]}
    security = security_of(spec, root, CredentialSources(Remembering()))
    lacking = [entry.operation_id for entry in entries if isinstance(security.of(entry), UnconfiguredAuthenticator)]
    undefined = [entry.operation_id for entry in entries if set(asked(entry, root)) - set(schemes)]
    assert set(lacking) <= set(undefined)
