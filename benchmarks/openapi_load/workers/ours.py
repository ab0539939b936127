"""Our toolbox: the tool is built and everything it offers is described."""

from collections.abc import Sequence

from loading import work

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.kind_registry import register
from openplaybook.tools.toolbox import Toolbox

_TOOLBOX = Toolbox(HttpTransport(AddressPolicy()))


def load(text: str) -> Sequence[str]:
    # Where a document names no server of its own, the tool's settings do.
    spec: JsonObject = {"textSchema": text, "settings": {"documentUri": "https://api.example.com/openapi"}}
    tool = _TOOLBOX.build({"name": "t", "displayName": "t", "openApiSpec": spec})
    return [
        dumps({"name": each.name, "description": each.description, "parameters": each.input_schema}).decode()
        for each in tool.actions()
    ]


if __name__ == "__main__":
    register()
    work(load)
