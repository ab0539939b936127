"""The setting `bucket`."""

from pathlib import Path

import pytest

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.configured_buckets import cloud_storage_of, parse_buckets
from openplaybook.credentials.identity.google_tokens import OwnGoogleAccess
from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.server.transports import LateTransport


def parsed(text: str, **environment: str) -> dict[str, Bucket]:
    return parse_buckets(text, cloud_storage_of(LateTransport(AddressPolicy()), environment, OwnGoogleAccess))


def test_folders_and_googles_buckets_are_named_together(tmp_path: Path) -> None:
    found = parsed(f"exports={tmp_path}, backups=gs:,")
    assert {name: bucket.about for name, bucket in found.items()} == {
        "exports": str(tmp_path),
        "backups": "gs://backups (https://storage.googleapis.com)",
    }


@pytest.mark.parametrize("address", ["http://127.0.0.1:9023/", "127.0.0.1:9023"])
def test_an_emulator_takes_the_place_of_google(address: str) -> None:
    [bucket] = parsed("backups=gs:", STORAGE_EMULATOR_HOST=address).values()
    assert bucket.about == "gs://backups (http://127.0.0.1:9023)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "'a' must be NAME=FOLDER, or NAME=gs: for Google's own bucket of that name"),
        ("a=/no/such", "/no/such is not a folder; for Google's own bucket write a=gs:"),
        ("backups=gs://other", "backups=gs://other must be backups=gs:: Google's bucket has the same name"),
        ("My_Bucket=gs:", "'My_Bucket' is not a name that Google's buckets have"),
    ],
)
def test_an_entry_that_names_no_bucket_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="^" + message.replace("(", r"\(") + "$"):
        parsed(text)


def test_an_emulators_address_that_is_no_web_address_is_refused() -> None:
    with pytest.raises(ValueError, match="STORAGE_EMULATOR_HOST must be an http or https URL, not 'ftp://x'"):
        parsed("backups=gs:", STORAGE_EMULATOR_HOST="ftp://x")
