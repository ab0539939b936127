"""What the conformance suite must know of a system besides its manifest: `systems/ID.yaml`.

documents: [stripe/spec3.2022-03-29.json.gz]     below the corpus' `vendor-apis`; /v1=FILE for one without servers
config: {api_key: sk_test}                       config variables of the connection
authentication: {user: u, password: p}           UserPassword; {token: t} AccessToken; without: none
base: /v1                                        path of the base URL, where it is not in the manifest's
ignored: [key, token]                            query parameters that the document leaves out
conditions: {Issues: "project = 'A'"}            what each list of an entity needs
values: {customers: {email: a@b.c}}              entity → field → value, where a made one will not do; of a key with
                                                 {n} for the number of each
parameters: {SendInvoice: {id: in_1}}            action → parameter → value
skip_fields: {customers: [address]}              fields that a create and an update leave out
unchecked: ["POST /files"]                       bodies that the document describes wrongly
undocumented: ["GET /x/{id}"]                    operations that the document leaves out, with a reason beside them
unknown_fields: {customers: [delinquent]}        fields that the document leaves out of replies
    unknown_paths: [meta.has_more]                   paths of paging that the document leaves out of replies
    has_text_bodies: true                            the document calls all members of bodies texts
query: "SELECT Id FROM Account"                  for ExecuteCustomQuery
discovered: {name: products, description: {…}}   a type that stands for the entity `*`, as the system describes it
"""

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import yaml12

from openplaybook.connectors.rest.field_sources import described_fields
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.systems import manifests
from openplaybook.connectors.settings import (
    AccessToken,
    Authentication,
    ConnectionSettings,
    UserPassword,
)
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from tests.kit.vendor_mock.csdl_document import csdl_document
from tests.kit.vendor_mock.graphql_document import graphql_document
from tests.kit.vendor_mock.graphql_mock import GraphqlMock
from tests.kit.vendor_mock.mock import MockSettings, VendorMock
from tests.kit.vendor_mock.vendor_document import VendorDocument, vendor_document

FOLDER = Path(__file__).parent / "systems"
_KEYS = frozenset(
    {"documents", "config", "authentication", "base", "ignored", "conditions", "values", "parameters", "skip_fields"}
    | {"unchecked", "undocumented", "unknown_fields", "unknown_paths", "query", "has_text_bodies"}
    | {"discovered"}
)


@dataclass(frozen=True, slots=True)
class VendorRecord:
    """A system's record."""

    id: str
    documents: tuple[str, ...]
    config: dict[str, str]
    authentication: Authentication
    base: str
    conditions: dict[str, str]
    values: dict[str, JsonObject]
    parameters: dict[str, JsonObject]
    skip_fields: dict[str, list[str]]
    unknown_fields: dict[str, list[str]]
    unknown_paths: list[str]
    has_text_bodies: bool
    query: str
    ignored: frozenset[str] = frozenset()
    unchecked: frozenset[str] = frozenset()
    undocumented: frozenset[str] = frozenset()
    discovered: JsonObject = field(default_factory=dict)

    @property
    def manifest(self) -> SystemManifest:
        """As it is shipped."""
        return self.with_discovered(manifests()[self.id])

    def with_discovered(self, manifest: SystemManifest) -> SystemManifest:
        """A manifest with the type that was discovered in place of `*`."""
        like = manifest.entities.get("*")
        if like is None:
            return manifest
        if not self.discovered:
            # Of what code of ours makes entities, that code's own tests are.
            own = {key: each for key, each in manifest.entities.items() if key != "*"}
            return replace(manifest, entities=own, discover=None)
        name = str(self.discovered["name"])
        describe = like.schema.describe if like.schema is not None else None
        more = described_fields(describe, self.discovered.get("description"), name) if describe is not None else []
        made = replace(like, name=name, path=name, fields=(*like.fields, *more), schema=None)
        entities = {
            name if key == "*" else key: made if key == "*" else each for key, each in manifest.entities.items()
        }
        return replace(manifest, entities=entities)

    def base_of(self, host: str) -> str:
        """Path of the base URL of one of the manifest's hosts; empty for the usual one."""
        return urlsplit(self.manifest.hosts[host]).path.rstrip("/") if host else self.base

    def document(self) -> VendorDocument:
        """The vendor's."""
        if self.documents[0].endswith((".xml", ".xml.gz", ".edmx.gz")):
            return csdl_document(self.base, *self.documents)
        if self.documents[0].endswith((".graphql-introspection.json.gz", ".d.ts.gz")):
            return graphql_document(self.documents[0])
        return vendor_document(*self.documents)

    def mock(self) -> VendorMock:
        """The system, as new."""
        settings = MockSettings(
            self.base, self.ignored, self.values, self.unchecked, self.has_text_bodies, self.undocumented
        )
        kind = GraphqlMock if self.manifest.transport == "graphql" else VendorMock
        return kind(self.manifest, self.document(), settings)

    def settings(self, **more: object) -> ConnectionSettings:
        """Of a connection to it."""
        given: dict[str, object] = {"config": self.config, "authentication": self.authentication} | more
        return ConnectionSettings("projects/p/locations/l/connections/c", self.id, **given)  # pyright: ignore[reportArgumentType]


@cache
def vendor_records() -> dict[str, VendorRecord]:
    """All records, by id."""
    return {file.stem: _read(file) for file in sorted(FOLDER.glob("*.yaml"))}


def _read(file: Path) -> VendorRecord:
    found = as_object(yaml12.parse_yaml(file.read_text("utf-8")))
    unknown = set(found) - _KEYS
    assert not unknown, f"{file.name} has {unknown}; there are {sorted(_KEYS)}"
    manifest = manifests()[file.stem]
    config = {name: str(value) for name, value in as_object(found.get("config")).items()}
    url = next(iter(manifest.base_url.values()))
    for name, value in config.items():
        url = url.replace(f"{{config.{name}}}", value)
    given = as_object(found.get("authentication"))
    return VendorRecord(
        id=file.stem,
        documents=tuple(as_list(found["documents"])),
        config=config,
        authentication=UserPassword(given["user"], given["password"])
        if "user" in given
        else AccessToken(given["token"])
        if given
        else None,
        base=str(found.get("base") or urlsplit(url).path).rstrip("/"),
        conditions=as_object(found.get("conditions")),
        values=as_object(found.get("values")),
        parameters=as_object(found.get("parameters")),
        skip_fields=as_object(found.get("skip_fields")),
        unknown_fields=as_object(found.get("unknown_fields")),
        unknown_paths=as_list(found.get("unknown_paths")),
        has_text_bodies=found.get("has_text_bodies") is True,
        query=str(found.get("query") or ""),
        discovered=as_object(found.get("discovered")),
        ignored=frozenset(as_list(found.get("ignored"))),
        unchecked=frozenset(as_list(found.get("unchecked"))),
        undocumented=frozenset(as_list(found.get("undocumented"))),
    )
