"""Requests of GraphQL systems as manifests write them: `query products(first: Int!, after: String)`, `mutation
productCreate(product: ProductCreateInput!)`, `query boards(ids: [ID!])[0].items_page(limit: Int!, cursor: String)`.

Each argument is a variable of its name and type; what is selected is made of the paths that the manifest reads. A call
that gives no object says so with the type behind it: `mutation update_board(…): JSON`.
"""

import re
from dataclasses import replace

from openplaybook.connectors.rest.manifest.list_model import GraphqlCall, GraphqlStep, PagingManifest, RequestLine
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode

_CALL = re.compile(r"(query|mutation)\s+(\S.*?)(\s*:\s*\w+)?", re.DOTALL)
_STEP = re.compile(r"(\w+)(?:\(([^()]*)\))?((?:\[\d+\])?)(?:\.|$)")
_ARGUMENT = re.compile(r"(\w+)\s*:\s*([\w\[\]!]+)")
_ASIDE = ("header.", "last_item")
"""Beginnings of paths that do not lead into the data."""


def read_call(node: ManifestNode, key: str, text: str) -> RequestLine | None:
    """The call that a text is; None for one that is no call of GraphQL. It goes to the base URL."""
    found = _CALL.fullmatch(text.strip())
    if found is None:
        return None
    steps: list[GraphqlStep] = []
    path = "data"
    position = 0
    while position < len(found[2]):
        step = _STEP.match(found[2], position)
        if step is None or not step[0]:
            node.fail(key, f"cannot be read from {found[2][position : position + 30]!r}; a field such as `a(b: Int!)`")
        arguments = dict(_ARGUMENT.findall(step[2] or ""))
        steps.append(GraphqlStep(step[1], arguments))
        path += f".{step[1]}{step[3]}"
        position = step.end()
    call = GraphqlCall(found[1] == "mutation", tuple(steps), path, is_value=bool(found[3]))
    if len(call.types) < sum(len(each.arguments) for each in steps):
        node.fail(key, "has two arguments of the same name, which would be the same variable")
    return RequestLine("POST", "", call=call)


def reply_place(line: RequestLine, path: str) -> str:
    """A path as the manifest has it, relative to what the call gives, from the reply on."""
    if line.call is None or path.startswith(_ASIDE):
        return path
    return f"{line.call.path}.{path}" if path else line.call.path


def paging_place(line: RequestLine, paging: PagingManifest) -> PagingManifest:
    """The same for the paths of paging, which may be empty."""
    if line.call is None:
        return paging
    places = {name: str(getattr(paging, name)) for name in ("next", "more", "last", "total", "pages")}
    return replace(paging, **{name: reply_place(line, path) for name, path in places.items() if path})
