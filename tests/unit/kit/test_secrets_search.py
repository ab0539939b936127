"""The search itself: a blind one would prove everything."""

import gzip
import io
import json
import sqlite3
import tarfile
import zipfile
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.secrets_search import PlantedSecrets

SECRET = 'planted/"secret"+value=1\n'
PLANTED = PlantedSecrets(SECRET, "another/secret+value")

SPELLINGS: list[Callable[[str], str]] = [
    str,
    quote,
    quote_plus,
    lambda text: quote(text, safe="").lower(),
    json.dumps,
    lambda text: json.dumps(json.dumps({"token": text})),
    lambda text: text.replace("/", "\\/"),
    repr,
    lambda text: text.encode().hex(),
    lambda text: text.encode().hex().upper(),
]


@pytest.mark.parametrize("spell", SPELLINGS)
def test_a_secret_is_found_in_every_spelling(spell: Callable[[str], str]) -> None:
    assert PLANTED.found(f"before {spell(SECRET)} after".encode()) != []


@given(st.binary(max_size=20), st.binary(max_size=20), st.sampled_from([b64encode, urlsafe_b64encode]))
def test_a_secret_is_found_in_base64_whatever_stands_around_it(
    before: bytes, after: bytes, encode: Callable[[bytes], bytes]
) -> None:
    assert PLANTED.found(encode(before + SECRET.encode() + after)) != []


@given(st.binary(max_size=200))
def test_nothing_is_found_where_nothing_is(content: bytes) -> None:
    assert PLANTED.found(content) == []


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_secret_bytes_are_found_as_they_are_and_encoded(before: bytes, after: bytes) -> None:
    key = bytes(range(200, 232))
    planted = PlantedSecrets(key)
    whole = before + key + after
    assert [bool(planted.found(text)) for text in (whole, b64encode(whole), whole.hex().encode())] == [True] * 3


def zipped(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/file", content)
    return buffer.getvalue()


def tarred(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo("file")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "pack",
    [
        zipped,
        gzip.compress,
        tarred,
        lambda content: gzip.compress(tarred(zipped(content))),
        lambda content: b'{"agentContent": "' + b64encode(zipped(content)) + b'"}',
    ],
)
def test_a_secret_is_found_in_archives(pack: Callable[[bytes], bytes]) -> None:
    assert PLANTED.found(pack(b"x" * 100 + SECRET.encode())) != []
    assert PLANTED.found(pack(b"x" * 100)) == []


def test_a_folder_is_searched_with_the_names_in_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "clean").write_text("nothing")
    with closing(sqlite3.connect(tmp_path / "data" / "store.db")) as database:
        database.execute("CREATE TABLE blob (data BLOB)")
        long = b"c" * 4060 + b"another/secret+value" + b"c" * 100_000
        database.execute("INSERT INTO blob VALUES (?)", (zlib.compress(long[:10]) + long,))
        database.commit()
    (tmp_path / "data" / "dirty").write_bytes(b"a" * 100 + b"another/secret+value" + b"b" * 100)
    (tmp_path / quote("another/secret+value", safe="")).mkdir()
    found = PLANTED.in_folder(tmp_path)
    assert list(found) == [quote("another/secret+value", safe=""), "data/dirty", "data/store.db"]
    assert found["data/dirty"] == [
        f"'another/secret+value' as {b'another/secret+value'!r} in {b'a' * 60 + b'another/secret+value' + b'b' * 60!r}"
    ]


def test_a_database_that_is_half_written_is_searched_as_far_as_it_goes() -> None:
    half_written = b"SQLite format 3\x00" + b"\xff" * 4096 + b"hunter2-secret"
    assert len(PlantedSecrets("hunter2-secret").found(half_written)) == 1
