"""The buckets of exports and imports, as the settings say."""

from collections.abc import Mapping

from openplaybook.buckets.configured_buckets import cloud_storage_of, parse_buckets
from openplaybook.credentials.identity.own_access import OwnAccess
from openplaybook.egress.base import Transport
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings
from openplaybook.services.bucket_objects import Buckets


def buckets_of(settings: Settings, way_out: Transport, environment: Mapping[str, str]) -> Buckets:
    """Folders, and Google's buckets; `way_out` leads to Cloud Storage. Raises `SettingsError`."""
    try:
        return Buckets(parse_buckets(settings.bucket, cloud_storage_of(way_out, environment, OwnAccess)))
    except ValueError as error:
        raise SettingsError(f"bucket: {error}") from error
