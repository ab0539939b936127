"""What `connections update` changes of a `Connection`: the values that are given, all others as they are."""

from openplaybook.cli.connections.connection_form import CLAIMS, SECTIONS, GivenValues, connection_json
from openplaybook.jsonvalues import JsonObject, as_list, as_object


def changed_json(connection: JsonObject, version: JsonObject, given: GivenValues) -> JsonObject:
    """The members of a connection (JSON) that are others with the given values, by its connector's version.

    Raises `CommandError` for a key that such a connection does not have.
    """
    kept = values_of(connection)
    texts = {key: text for key, text in kept.texts.items() if key not in given.versions}
    versions = {key: name for key, name in kept.versions.items() if key not in given.texts}
    merged = GivenValues({**texts, **given.texts}, {**versions, **given.versions})
    before = as_object(connection.get("authConfig"))
    auth_type = str(before.get("authType", ""))
    made = connection_json(version, merged, auth_type if auth_type in SECTIONS else "", takes_override=False)
    changed: JsonObject = {"configVariables": made["configVariables"]} if "configVariables" in made else {}
    if "authConfig" in made:
        after = as_object(made["authConfig"])
        section = SECTIONS.get(auth_type, ("", {}))[0]
        if section:
            after[section] = {**as_object(before.get(section)), **as_object(after.get(section))}
        changed["authConfig"] = after
    return changed


def values_of(connection: JsonObject) -> GivenValues:
    """The values of a connection, as the command line has them."""
    texts: dict[str, str] = {}
    versions: dict[str, str] = {}
    auth = as_object(connection.get("authConfig"))
    variables = [*as_list(connection.get("configVariables")), *as_list(auth.get("additionalVariables"))]
    for variable in map(as_object, variables):
        key = str(variable.get("key", ""))
        if "secretValue" in variable:
            versions[key] = str(as_object(variable["secretValue"]).get("secretVersion", ""))
        elif "boolValue" in variable:
            texts[key] = str(variable["boolValue"]).lower()
        else:
            texts[key] = str(variable.get("intValue", variable.get("stringValue", "")))
    section, members = SECTIONS.get(str(auth.get("authType", "")), ("", {}))
    held = as_object(auth.get(section))
    for key, member in members.items():
        if isinstance(held.get(member), dict):
            versions[key] = str(as_object(held[member]).get("secretVersion", ""))
        elif member in held:
            texts[key] = str(held[member])
    texts |= {claim: str(text) for claim, text in as_object(held.get("jwtClaims")).items() if claim in CLAIMS}
    return GivenValues(texts, versions)
