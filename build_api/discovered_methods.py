"""The methods of a discovery document as RPCs: names, requests and HTTP rules.

A document knows resources with methods, RPCs are of services. A service has the name of its resource, with `Service`
after it where a message has that name. An RPC has the name that its request or response says (`ListConnectionsResponse`
is what `ListConnections` gives), else that of verb and resource. What a document spreads over path, query and body
becomes one request message, in the form that Google's own protos have: the fields of a body that is a request stand
beside the others; a body that is a resource is a field; the path of an update is the name within that resource.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from build_api.discovered_messages import class_name, field_name
from build_api.http_rules import Binding
from build_api.mixins import MIXINS
from build_api.sources import Document, DocumentPart

_VERBS = {"get": "Get", "create": "Create", "patch": "Update", "delete": "Delete", "list": "List"}
_VARIABLE = re.compile(r"\{\+(\w+)\}")


@dataclass(frozen=True, slots=True)
class DiscoveredMethod:
    """One method of a document, as an RPC."""

    service: str
    """Name of its service, without the package."""
    name: str
    request: str
    """Name of its request message; that of a mixin has its own."""
    properties: DocumentPart
    """The fields of the request, in the form of a schema's properties."""
    response: str
    """Id of the schema that it gives."""
    binding: Binding

    @property
    def is_mixed_in(self) -> bool:
        """Whether it is of a service that all APIs share."""
        return self.service in MIXINS.values()


def methods_of(document: Document) -> Iterator[DiscoveredMethod]:
    """The methods that are taken of a document, by service and name; `ValueError` where two have one name."""
    content = document.read()
    found: dict[str, DiscoveredMethod] = {}
    for resource, name, method in _walk(content["resources"]):
        service = class_name(resource)
        rpc = f"{service}Service" if service in content["schemas"] else service, _rpc_name(resource, name, method)
        if any(fnmatchcase(".".join(rpc), pattern) for pattern in document.served):
            made = _method(content["schemas"], *rpc, method)
            if found.setdefault(made.request, made) is not made:
                raise ValueError(f"{document.name}: two methods would be called {rpc[1]}")
    return iter(sorted(found.values(), key=lambda made: (made.service, made.name)))


def _walk(resources: DocumentPart) -> Iterator[tuple[str, str, DocumentPart]]:
    for resource, content in resources.items():
        for name, method in content.get("methods", {}).items():
            yield resource, name, method
        yield from _walk(content.get("resources", {}))


def _rpc_name(resource: str, name: str, method: DocumentPart) -> str:
    request, response = (method.get(part, {}).get("$ref", "") for part in ("request", "response"))
    for schema, ending in ((request, "Request"), (response, "Response")):
        if schema.endswith(ending):
            return schema.removesuffix(ending)
    if name not in _VERBS:
        return class_name(name)
    singular = f"{resource[:-3]}y" if resource.endswith("ies") else resource.removesuffix("s")
    return _VERBS[name] + (request or (response if name == "get" else class_name(singular)))


def _method(schemas: DocumentPart, service: str, name: str, method: DocumentPart) -> DiscoveredMethod:
    request, body = method.get("request", {}).get("$ref", ""), ""
    properties: dict[str, Any] = {}
    if request == f"{name}Request":
        properties, body = dict(schemas[request].get("properties", {})), "*"
    elif request:
        body = field_name(request[:1].lower() + request[1:])
        properties[request[:1].lower() + request[1:]] = {"$ref": request, "description": "Required."}
    template = f"/{method['path']}"
    for parameter, form in method["parameters"].items():
        if form["location"] == "query":
            outer, _, inner = parameter.partition(".")
            properties[outer] = _nested(schemas, outer, inner) if inner else _as_property(form)
            continue
        field = field_name(parameter)
        if method["httpMethod"] == "PATCH" and request and parameter in schemas[request].get("properties", {}):
            field = f"{body}.{field}"
        else:
            properties[parameter] = _as_property(form)
        template = template.replace(f"{{+{parameter}}}", f"{{{field}={_wildcards(form['pattern'])}}}")
    if _VARIABLE.search(template):
        raise ValueError(f"{name}: {template} has a variable that is no parameter")
    binding = method["httpMethod"].lower(), template, body
    return DiscoveredMethod(service, name, f"{name}Request", properties, method["response"]["$ref"], binding)


def _as_property(parameter: DocumentPart) -> DocumentPart:
    """The form of a parameter as a schema would have it."""
    form = {key: parameter[key] for key in ("type", "format", "enum", "description") if key in parameter}
    return (
        {"type": "array", "items": form, "description": form.pop("description", "")}
        if "repeated" in parameter
        else form
    )


def _nested(schemas: DocumentPart, outer: str, inner: str) -> DocumentPart:
    """The form of a parameter that has others within it: `executionConfig.headers`."""
    schema = class_name(outer)
    if inner not in schemas.get(schema, {}).get("properties", {}):
        raise ValueError(f"{outer}.{inner}: there is no schema {schema} that has it")
    return {"$ref": schema}


def _wildcards(pattern: str) -> str:
    """A path template of the expression that a path parameter fits."""
    return pattern.removeprefix("^").removesuffix("$").replace("[^/]+", "*").replace(".*", "**")
