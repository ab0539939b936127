"""Discriminators (OAS 3.1.1 §4.8.25): a property whose value says which of several schemas holds."""

from openplaybook.jsonvalues import JsonObject, as_list, as_object


def alternatives(source: JsonObject, result: JsonObject) -> None:
    """Make the converted alternatives of `source` such that a value needs to fit one of them, not only one.

    The discriminator, which has to be there, says which one it is; the schemas themselves are often alike. A `mapping`
    also names the values that belong to an alternative, which then holds for these only.
    """
    branches = as_list(result.pop("oneOf", result.get("anyOf")))
    if not branches:
        return
    discriminator = as_object(source["discriminator"])
    name, mapping = discriminator.get("propertyName"), as_object(discriminator.get("mapping"))
    written = as_list(source.get("oneOf") or source.get("anyOf"))
    result["anyOf"] = [
        _only_for(branch, name, _values(as_object(each).get("$ref"), mapping)) if isinstance(name, str) else branch
        for branch, each in zip(branches, written, strict=False)
    ]


def _values(reference: object, mapping: JsonObject) -> list[str]:
    """The values that stand for the schema of a reference; they name it by the reference or its last part."""
    if not isinstance(reference, str):
        return []
    names = (reference, reference.rpartition("/")[2])
    return [value for value, target in mapping.items() if target in names]


def _only_for(branch: JsonObject, name: str, values: list[str]) -> JsonObject:
    told: JsonObject = {"properties": {name: {"enum": values}}} if values else {}
    return {"allOf": [branch, {**told, "required": [name]}]}
