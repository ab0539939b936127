"""One document into another: operations that are new are added, texts that are missing filled in, the rest stays."""

import re
from copy import deepcopy

from openplaybook.drafting.document_tree import changed, followed, member, parameter, section
from openplaybook.drafting.samples import METHODS
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_TEXTS = ("summary", "description")


def joined(base: JsonObject, more: JsonObject) -> JsonObject:
    """A copy of `base` with what `more` adds. Components of one name and different content get another name."""
    root = deepcopy(base)
    added = _with_own_names(root, more)
    for kind, members in as_object(added.get("components")).items():
        known = section(root, kind)
        for name, value in as_object(members).items():
            known.setdefault(name, value)
    elsewhere = as_list(added.get("servers")) if _urls(added) != _urls(root) else []
    paths = member(root, root, "paths") or {}
    for path, item in as_object(added.get("paths")).items():
        same = next((each for each in paths if _shape(each) == _shape(path)), None)
        if same is None:
            paths[path] = _at(elsewhere, as_object(item))
        else:
            _join_path(root, paths[same], _renamed(as_object(item), path, same), elsewhere)
    return root


def _urls(root: JsonObject) -> list[str]:
    return [str(as_object(each).get("url")).rstrip("/") for each in as_list(root.get("servers"))]


def _at(servers: list[JsonValue], holder: JsonObject) -> JsonObject:
    """A path item or operation that names the servers it came with, where the document has others."""
    return {"servers": servers, **holder} if servers and "servers" not in holder else holder


def _shape(path: str) -> str:
    """The path without the names of its variables: by these, two paths are the same (OAS 3.0.3 §4.7.8)."""
    return _VARIABLE.sub("{}", path)


def _join_path(root: JsonObject, known: JsonValue, item: JsonObject, servers: list[JsonValue]) -> None:
    holder = followed(root, known)
    if holder is None:
        return
    for method in METHODS:
        operation = as_object(item.get(method))
        if not operation:
            continue
        there = followed(root, holder.get(method))
        if there is None:
            here = as_list(operation.get("parameters"))
            beside = [each for each in as_list(item.get("parameters")) if not _is_in(each, here)]
            operation["parameters"] = [*here, *(each for each in beside if not _is_in(each, holder.get("parameters")))]
            holder[method] = _at(servers, operation)
        else:
            _fill_texts(root, there, operation, item, holder)


def _is_in(wanted: JsonValue, listed: JsonValue) -> bool:
    keys = ("name", "in")
    return any(all(as_object(each).get(key) == as_object(wanted).get(key) for key in keys) for each in as_list(listed))


def _fill_texts(
    root: JsonObject, there: JsonObject, operation: JsonObject, item: JsonObject, holder: JsonObject
) -> None:
    """Descriptions where nobody has written one."""
    for key in _TEXTS:
        if not there.get(key) and isinstance(operation.get(key), str):
            there[key] = operation[key]
    for each in (*as_list(operation.get("parameters")), *as_list(item.get("parameters"))):
        source = as_object(each)
        known = parameter(root, str(source.get("name")), str(source.get("in")), there, holder)
        if known is not None and not known.get("description") and isinstance(source.get("description"), str):
            known["description"] = source["description"]


def _renamed(item: JsonObject, path: str, same: str) -> JsonObject:
    """A path item with its variables called as in the path that is there already."""
    names = dict(zip(_VARIABLE.findall(path), _VARIABLE.findall(same), strict=True))
    for holder in (item, *(as_object(item.get(method)) for method in METHODS)):
        for each in as_list(holder.get("parameters")):
            declared = as_object(each)
            if declared.get("in") == "path" and declared.get("name") in names:
                declared["name"] = names[str(declared["name"])]
    return item


def _with_own_names(root: JsonObject, more: JsonObject) -> JsonObject:
    """A copy of `more` whose components do not clash with those of `root`."""
    references: dict[str, str] = {}
    schemes: dict[str, str] = {}
    copy = deepcopy(more)
    for kind, members in as_object(copy.get("components")).items():
        known = as_object(as_object(root.get("components")).get(kind))
        for name in list(as_object(members)):
            if name in known and known[name] != members[name]:
                taken = {*known, *members}
                new = next(f"{name}{number}" for number in range(2, len(taken) + 3) if f"{name}{number}" not in taken)
                members[new] = members.pop(name)
                references[f"#/components/{kind}/{name}"] = f"#/components/{kind}/{new}"
                if kind == "securitySchemes":
                    schemes[name] = new
    result = as_object(changed(copy, lambda key, value: references.get(value, value) if key == "$ref" else value))
    _rename_schemes(result, schemes)
    return result


def _rename_schemes(root: JsonObject, names: dict[str, str]) -> None:
    items = [as_object(item) for item in as_object(root.get("paths")).values()]
    for operation in (as_object(item.get(method)) for item in items for method in METHODS):
        needed = operation.get("security", root.get("security"))
        if operation and needed is not None:
            operation["security"] = [{names.get(key, key): each[key] for key in each} for each in as_list(needed)]
