from collections.abc import Mapping

import pytest

from openplaybook.packages.errors import NotAPackage
from openplaybook.packages.package_files import zip_of
from openplaybook.packages.package_formats import APP, DIALOGFLOW
from openplaybook.sync.comparable_files import ComparableFiles, read_contents

AGENT = {"agent.json": b'{"displayName": "A"}', "intents/Hi/Hi.json": b'{"name": "hi"}'}


def read(files: Mapping[str, bytes]) -> ComparableFiles:
    return read_contents(zip_of(files))


def test_what_a_repository_has_beside_an_agent_is_left_out() -> None:
    beside = {"README.md": b"# A", "package.json": b"{}", ".github/workflows/x.yaml": b"on: push", ".gitignore": b""}
    contents = read({**AGENT, **beside})
    assert contents.format is DIALOGFLOW
    assert contents.files.keys() == AGENT.keys()


def test_an_app_has_more_files_at_its_root() -> None:
    files = {"app.json": b'{"displayName": "A"}', "environment.json": b"{}", "README.md": b"# A", ".gitignore": b""}
    contents = read(files)
    assert contents.format is APP
    assert contents.files.keys() == {"app.json", "environment.json"}


def test_equal_agents_are_equal_however_they_are_written() -> None:
    other = {**AGENT, "agent.json": b'\n{  "displayName":"A"  }'}
    assert read(other).lines == read(AGENT).lines
    assert read(other).digests == read(AGENT).digests
    assert read(other).archive() == read(AGENT).archive()


def test_secrets_are_left_out() -> None:
    tool = (
        b'{"name": "t", "displayName": "T",'
        b' "openApiSpec": {"authentication": {"apiKeyConfig": {"keyName": "k", "apiKey": "wq8d-7c1f"}}}}'
    )
    contents = read({**AGENT, "tools/T/T.json": tool})
    assert b"wq8d-7c1f" not in b"".join(contents.files.values())


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(NotAPackage, match=r"^there is no agent\.json or app\.json or app\.yaml at the root$"):
        read({"README.md": b""})
