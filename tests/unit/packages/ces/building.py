"""Packages of apps for tests, made from their files."""

import json
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.ces.app_package import AppPackage
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.package_files import zip_of
from openplaybook.packages.private_fields import ExportField
from openplaybook.packages.report import Report

APP = "projects/p/locations/l/apps/a"
FOREIGN = "projects/other/locations/us/apps/5f1c3a52"


def package_of(files: Mapping[str, JsonObject | str]) -> bytes:
    """A zip of JSON objects and texts; `app.json` is added when it is not given."""
    contents: dict[str, JsonObject | str] = {"app.json": {"displayName": "A"}, **files}
    if "app.yaml" in files:
        del contents["app.json"]
    return zip_of(
        {
            path: value.encode() if isinstance(value, str) else json.dumps(value).encode()
            for path, value in contents.items()
        }
    )


def only_public(message: str, key: str) -> ExportField | None:
    """The API as these tests see it: comments and one member are no part of it."""
    return None if key.startswith("_") or key == "privateMember" else ExportField()


def read(files: Mapping[str, JsonObject | str]) -> tuple[AppPackage, Report]:
    """The package of these files."""
    return read_app(package_of(files), APP, only_public)
