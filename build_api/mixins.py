"""REST routes of the services that every Google API mixes in: long-running operations and locations.

Their protos state `/v1/{name=operations/**}` only; each API serves them under its own version and resource paths,
which the REST transports know. An API's transports name only the RPCs that it offers; `ADDED` has what we offer in
all of them."""

from build_api.files import Files
from build_api.http_rules import Binding, set_bindings
from build_api.sources import SOURCES

MIXINS = {"google.longrunning": "Operations", "google.cloud.location": "Locations"}

ADDED: tuple[tuple[str, str, str, str], ...] = (
    ("DeleteOperation", "delete", "/{version}/{{name=projects/*/locations/*/operations/*}}", ""),
    ("WaitOperation", "post", "/{version}/{{name=projects/*/locations/*/operations/*}}:wait", "*"),
)
"""RPC, HTTP method, path template with the version left open, body."""


def add_mixin_routes(files: Files, found: list[tuple[str, Binding]]) -> None:
    """Gives the mixin services the bindings that the APIs have for them; `ValueError` for a binding of no RPC."""
    bindings: dict[str, dict[Binding, None]] = {}
    for name, binding in found:
        bindings.setdefault(name, {})[binding] = None
    for name, verb, template, body in ADDED:
        for source in SOURCES:
            bindings.setdefault(name, {})[verb, template.format(version=source.version), body] = None
    for package, service_name in MIXINS.items():
        for file in files.of_package(package):
            for method in (
                method for service in file.service if service.name == service_name for method in service.method
            ):
                set_bindings(method, bindings.pop(method.name, {}))
    if bindings:
        raise ValueError(f"REST bindings of unknown RPCs: {', '.join(sorted(bindings))}")
