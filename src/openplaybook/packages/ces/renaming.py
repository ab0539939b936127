"""Resources of a package under other names, for an app that already has some of them."""

import dataclasses
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.ces.app_package import AppPackage, own_key
from openplaybook.packages.ces.resource_places import reference_places, rewritten


def renamed(package: AppPackage, names: Mapping[str, str]) -> AppPackage:
    """The package with resources of these full names under others, wherever they are named."""

    def changed(collection: str, resource: JsonObject) -> JsonObject:
        for pattern in reference_places(collection):
            resource = rewritten(resource, pattern, lambda _, name: names.get(name, name))
        return {**resource, "name": names.get(resource["name"], resource["name"])}

    own = {own_key({"name": before}): own_key({"name": after}) for before, after in names.items()}
    return dataclasses.replace(
        package,
        app=changed("app", package.app),
        layouts={own.get(key, key): layout for key, layout in package.layouts.items()},
        **{
            collection: tuple(changed(collection, resource) for resource in resources)
            for collection, resources in package.collections().items()
        },
    )
