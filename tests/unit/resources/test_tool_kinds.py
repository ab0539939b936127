import subprocess
import sys
from collections.abc import Iterator

import pytest

from openplaybook.resources.tool_kinds import KindField, SecretField, StoredKind, ToolMessage, register, tool_kinds
from openplaybook.tools import kind_registry

SECRETS = (SecretField(("lampSpec", "key"), "secret"),)
LAMP = StoredKind(
    "lamp",
    "lamp",
    (
        KindField("lampSpec", ToolMessage.TOOL, "lamp", secrets=SECRETS, credentials=("key",)),
        KindField("lampTool", ToolMessage.APP_TOOL, "lamp of an app"),
    ),
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register([LAMP])
    yield
    kind_registry.register()


def test_a_tool_is_of_the_kind_whose_field_it_has() -> None:
    known = tool_kinds()
    assert known.of({"displayName": "x", "lampTool": {}}) is LAMP
    assert known.field({"displayName": "x", "lampTool": {}}) is LAMP.fields[1]
    assert (known.of({"openApiSpec": {}}), known.field({})) == (None, None)
    assert known.fields(ToolMessage.TOOL) == [LAMP.fields[0]]
    assert (known.secrets("lampSpec"), known.secrets("displayName")) == (SECRETS, ())
    assert known.credentials({"lampSpec": {"key": 1, "other": 2}}) == [1]


@pytest.mark.parametrize("other", [StoredKind("lamp", "other"), StoredKind("other", "other", LAMP.fields[:1])])
def test_kinds_that_cannot_be_told_apart_are_refused(other: StoredKind) -> None:
    with pytest.raises(ValueError, match="two kinds of tools"):
        register([LAMP, other])


ALONE = """
from openplaybook.resources.tool_kinds import NoToolKinds, StoredKind, register, register_when_asked, tool_kinds
try:
    tool_kinds()
except NoToolKinds as error:
    print(error)
register_when_asked(lambda: register([StoredKind("lamp", "lamp")]))
print([kind.nouns for kind in tool_kinds().all])
"""


def test_a_process_without_kinds_is_told_so_and_may_register_them_when_they_are_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    refused, known = done.stdout.splitlines()
    assert refused == "no kinds of tools are registered: call tools.kinds.register when the process starts"
    assert known == "['lamps']"
