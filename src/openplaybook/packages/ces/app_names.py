"""References between resources of an app: display names and ids in a package, full names in memory."""

import re

from openplaybook.packages.ces.app_layout import COLLECTIONS

_FULL = re.compile(r"projects/[^/]+/locations/[^/]+/apps/[^/]+/([^/]+)/([^/]+)")


class AppNames:
    """The resources of one app by collection, id and display name."""

    def __init__(self, app_name: str) -> None:
        self._app_name = app_name
        self._display: dict[str, dict[str, str]] = {collection: {} for collection in COLLECTIONS}
        self._ids: dict[str, dict[str, str]] = {collection: {} for collection in COLLECTIONS}
        """By display name; of several equal ones the first."""
        self._stems: dict[str, dict[str, str]] = {collection: {} for collection in COLLECTIONS}

    def add(self, collection: str, resource_id: str, display_name: str, stem: str = "") -> None:
        """Make a resource known; `stem` is the name of its folder."""
        self._display[collection][resource_id] = display_name
        self._ids[collection].setdefault(display_name, resource_id)
        self._stems[collection].setdefault(stem, resource_id)

    def full_name(self, collection: str, resource_id: str) -> str:
        """The resource name of an id."""
        return f"{self._app_name}/{collection}/{resource_id}"

    def resolve(self, collection: str, reference: str) -> str | None:
        """The full name that a package's reference means; None: nothing here.

        It may be a full name, of whatever app; a display name, of several equal ones the first; an id; or the name
        of the resource's folder.
        """
        ids = self._display[collection]
        full = _FULL.fullmatch(reference)
        if full is not None:
            return self.full_name(collection, full[2]) if full[1] == collection and full[2] in ids else None
        by_name = self._ids[collection].get(reference)
        resource_id = by_name or (reference if reference in ids else self._stems[collection].get(reference))
        return self.full_name(collection, resource_id) if resource_id else None

    def refer(self, collection: str, full_name: str) -> str:
        """How a package refers to a full name, so that `resolve` finds it: the display name where that does."""
        resource_id = full_name.rsplit("/", 1)[-1]
        if full_name != self.full_name(collection, resource_id) or resource_id not in self._display[collection]:
            return full_name
        for reference in (self._display[collection][resource_id], resource_id):
            if reference and self.resolve(collection, reference) == full_name:
                return reference
        return full_name
