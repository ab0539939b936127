"""Exchanges into a document: what is new is added, what is known is widened, what people wrote stays."""

from collections.abc import Sequence
from copy import deepcopy

from openplaybook.drafting.api_words import words_of
from openplaybook.drafting.components import name_shared
from openplaybook.drafting.credentials import Credential, credentials_of
from openplaybook.drafting.document_tree import array, followed, member, parameter, section
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.observed_parameters import in_paths
from openplaybook.drafting.operation_names import title_of, unique_id
from openplaybook.drafting.operation_update import OperationUpdate, TargetDocument, of_method
from openplaybook.drafting.parameter_schemas import described, widened
from openplaybook.drafting.path_templates import LocatedExchange
from openplaybook.drafting.placement import located, place_servers
from openplaybook.drafting.samples import METHODS, ApiExchange
from openplaybook.jsonvalues import JsonObject, as_list, as_object

VERSION = "3.0.3"
_DEFAULT_TITLE = "API"


def absorbed(document: JsonObject | None, exchanges: Sequence[ApiExchange], remarks: Remarks) -> JsonObject:
    """A copy of `document`, or a new one, that describes the exchanges too."""
    root: JsonObject = deepcopy(document) if document is not None else _empty(exchanges)
    target = TargetDocument(root, remarks)
    paths = member(root, root, "paths")
    placed = located(root, exchanges)
    if paths is None or not placed:
        return root
    known = set(paths)
    by_path: dict[str, list[LocatedExchange]] = {}
    for each in placed:
        by_path.setdefault(each.path, []).append(each)
    for path, listed in by_path.items():
        item = member(root, paths, path)
        if item is not None:
            _absorb_path(target, path, item, listed)
    place_servers(root, placed, known, remarks)
    _lift_security(root)
    name_shared(root, target.places, target.responses)
    return root


def _empty(exchanges: Sequence[ApiExchange]) -> JsonObject:
    title = _title(exchanges[0].origin) if exchanges else _DEFAULT_TITLE
    return {"openapi": VERSION, "info": {"title": title, "version": "1.0.0"}, "servers": [], "paths": {}}


def _title(origin: str) -> str:
    """`Example API` for `https://api.example.com`."""
    host = origin.partition("://")[2].rpartition(":")[0] or origin.partition("://")[2]
    labels = [label for label in host.split(".") if label not in ("www", "api", "com", "co", "org", "net", "io", "dev")]
    words = words_of(labels[-2] if len(labels) > 2 else labels[0]) if labels and not host[-1:].isdigit() else []
    return f"{' '.join(word.capitalize() for word in words)} {_DEFAULT_TITLE}".strip()


def _absorb_path(target: TargetDocument, path: str, item: JsonObject, listed: list[LocatedExchange]) -> None:
    methods = list(dict.fromkeys(each.exchange.method for each in listed))
    _absorb_path_parameters(target, path, item, listed)
    for method in methods:
        exchanges = of_method(listed, method)
        is_new = method not in item
        operation = member(target.root, item, method)
        if operation is None:
            continue
        if is_new:
            _entitle(target.root, operation, method, path, exchanges)
        OperationUpdate(target, method, path, item, operation, is_new, exchanges).absorb()
        _secure(target, operation, exchanges, is_new=is_new)


def _absorb_path_parameters(target: TargetDocument, path: str, item: JsonObject, listed: list[LocatedExchange]) -> None:
    """Describe the variables of a path for all its methods at once, where nobody has described them."""
    names = dict.fromkeys(piece.partition("}")[0] for piece in path.split("{")[1:])
    observed = {each.name: each for each in in_paths(listed)}
    operations = [operation for method in METHODS if (operation := followed(target.root, item.get(method))) is not None]
    for name in names:
        known = parameter(target.root, name, "path", item, *operations)
        if known is not None and name in observed:
            widened(known, observed[name], target.requests, f"{path} parameter {name}")
        if parameter(target.root, name, "path", item) is not None:
            continue
        if known is not None:
            description = deepcopy(known)
        elif name in observed:
            description = described(observed[name], required=True)
        else:
            description = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        if known is None or any(method not in item for method in {each.exchange.method for each in listed}):
            array(item, "parameters").append(description)


def _entitle(root: JsonObject, operation: JsonObject, method: str, path: str, exchanges: Sequence[ApiExchange]) -> None:
    answers = [each.response for each in exchanges if each.response is not None and each.status.startswith("2")]
    gives_list = bool(answers) and all(isinstance(each.value, list) for each in answers if each.is_json)
    title = title_of(method, path, gives_list=gives_list and any(each.is_json for each in answers))
    operation["operationId"] = unique_id(title, path, _operation_ids(root))
    operation["summary"] = title.summary


def _operation_ids(root: JsonObject) -> set[str]:
    items = [followed(root, item) or {} for item in as_object(root.get("paths")).values()]
    return {str(as_object(item.get(method)).get("operationId")) for item in items for method in METHODS}


def _secure(target: TargetDocument, operation: JsonObject, exchanges: Sequence[ApiExchange], *, is_new: bool) -> None:
    """Say which credentials an operation takes, where the document does not say so yet."""
    credentials = {each.number: credentials_of(each) for each in exchanges}
    schemes = {each.scheme: each for listed in credentials.values() for each in listed}
    if not schemes:
        return
    names = {scheme: _scheme(target, each) for scheme, each in schemes.items()}
    if "security" in operation or "security" in target.root:
        return
    alternatives: list[JsonObject] = []
    for listed in credentials.values():
        needed: JsonObject = {names[each.scheme]: [] for each in listed}
        if needed not in alternatives:
            alternatives.append(needed)
    operation["security"] = sorted(alternatives, key=len, reverse=True)


def _scheme(target: TargetDocument, credential: Credential) -> str:
    """The name of the scheme in the document, added when it is not there."""
    schemes = section(target.root, "securitySchemes")
    for name, known in schemes.items():
        definition = followed(target.root, known) or {}
        if all(str(definition.get(key)).lower() == value.lower() for key, value in credential.definition.items()):
            return name
    name = credential.scheme
    if name in schemes:
        name = next(other for number in range(2, len(schemes) + 3) if (other := f"{name}{number}") not in schemes)
    schemes[name] = credential.definition
    target.remarks.add(
        f"The samples carry a credential in {credential.where}. It is described as the security scheme {name}, "
        "its value is not kept: set the tool's authentication."
    )
    return name


def _lift_security(root: JsonObject) -> None:
    """Say once for the document what all operations ask for alike."""
    if "security" in root:
        return
    items = [followed(root, item) or {} for item in as_object(root.get("paths")).values()]
    operations = [as_object(item[method]) for item in items for method in METHODS if method in item]
    requirements = [operation.get("security") for operation in operations]
    if requirements and requirements[0] and all(each == requirements[0] for each in requirements):
        for operation in operations:
            del operation["security"]
        root["security"] = as_list(requirements[0])
