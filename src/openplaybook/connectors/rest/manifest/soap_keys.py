"""The key `soap`, and the actions that each system with SOAP services has."""

from collections.abc import Mapping

from openplaybook.connectors.rest.manifest.entity_keys import read_action
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode
from openplaybook.connectors.rest.manifest.model import ActionManifest, SoapManifest
from openplaybook.jsonvalues import JsonObject

_SERVICE: JsonObject = {"type": "string", "description": "Name of a service, such as Human_Resources."}
_CALL: JsonObject = {
    "parameters": {
        "service": _SERVICE,
        "operation": "string",
        "request": {"type": "object", "description": "As DescribeOperation has it, in any order."},
        "version": {"type": "string", "description": "Of the service, if another than usual."},
    },
    "in_query": ["version"],
    "members": "{request}",
}
_ACTIONS: Mapping[str, JsonObject] = {
    "FindOperations": {
        "description": "Operations of a SOAP service, and which of them only read.",
        "http": "GET {host}:/{service}",
        "items": "operations",
        "parameters": {
            "service": _SERVICE,
            "words": {"type": "string", "description": "That name or description have."},
            "version": "string",
        },
    },
    "DescribeOperation": {
        "description": "JSON Schema of what an operation of a SOAP service takes and gives.",
        "http": "GET {host}:/{service}/{operation}",
        "parameters": {
            "service": _SERVICE,
            "operation": "string",
            "part": {"type": "input|output", "description": "Both, if left out."},
            "path": {"type": "string", "description": "Members in this part of which more is wanted: A.B.C."},
            "version": "string",
        },
    },
    "ReadService": {
        "description": "Call an operation of a SOAP service that changes nothing.",
        "http": "POST {host}:/{service}/{operation}",
        "read_only": True,
        **_CALL,
    },
    "CallService": {
        "description": "Call an operation of a SOAP service that changes something.",
        "http": "POST {host}:/{service}/{operation}",
        **_CALL,
    },
}


def read_soap(node: ManifestNode) -> SoapManifest:
    """How one of the hosts speaks SOAP."""
    made = SoapManifest(
        host=node.text("host", "soap"),
        address=node.text("address", "/{service}/{version}"),
        wsdl=node.text("wsdl", "/{service}/{version}?wsdl"),
        version=node.text("version"),
        reads=node.expression("reads")
        or node.fail("reads", "is required: what names of reading operations begin with"),
    )
    node.close()
    return made


def service_actions(soap: SoapManifest) -> dict[str, ActionManifest]:
    """What can be done with all services of a host, by name."""
    return {
        name: read_action(
            name, ManifestNode({**members, "http": str(members["http"]).replace("{host}", soap.host)}, name), {}
        )
        for name, members in _ACTIONS.items()
    }
