"""Which role each RPC needs."""

import gc
import weakref

import pytest

from openplaybook.server.access.principals import Role
from openplaybook.server.access.rpc_roles import TURNS, needed_role, roles_by_name, unversioned
from openplaybook.wire.api import load_api

METHODS = sorted(load_api().methods)
NAMES = {unversioned(name) for name in METHODS}
OPEN_TO_ALL = {name for name in NAMES if name.startswith("grpc.health.")}
TABLE = roles_by_name()


def test_every_rpc_stands_in_the_table_and_everything_in_it_is_an_rpc() -> None:
    services = {f"{name.rpartition('.')[0]}.*" for name in NAMES}
    assert {
        name for name in NAMES - OPEN_TO_ALL if name not in TABLE and f"{name.rpartition('.')[0]}.*" not in TABLE
    } == set()
    assert set(TABLE) - NAMES - services == set()


def test_every_rpc_of_ours_is_named_on_its_own() -> None:
    assert {name for name in NAMES if name.startswith("openplaybook.")} == {
        name for name in TABLE if name.startswith("openplaybook.")
    }


def test_turns_are_rpcs() -> None:
    assert NAMES >= TURNS


@pytest.mark.parametrize(
    ("method", "role"),
    [
        ("google.cloud.dialogflow.cx.v3.Sessions.DetectIntent", Role.RUNTIME),
        ("google.cloud.dialogflow.cx.v3beta1.Sessions.StreamingDetectIntent", Role.RUNTIME),
        ("google.cloud.dialogflow.cx.v3.Agents.DeleteAgent", Role.EDITOR),
        ("google.cloud.dialogflow.cx.v3beta1.ConversationHistory.ListConversations", Role.EDITOR),
        ("google.cloud.dialogflow.cx.v3beta1.ConversationHistory.DeleteConversation", Role.ADMIN),
        ("google.longrunning.Operations.GetOperation", Role.EDITOR),
        ("openplaybook.v1.OpenPlaybook.ExecuteTool", Role.EDITOR),
        ("openplaybook.v1.OpenPlaybook.AddSecretVersion", Role.ADMIN),
        ("somebody.v7.Else.Knows", Role.ADMIN),
        ("no name at all", Role.ADMIN),
    ],
)
def test_an_rpc_needs_its_role_in_every_version(method: str, role: Role) -> None:
    assert needed_role(method) is role


def test_a_role_includes_those_beneath_it() -> None:
    assert [[has.may(needed) for needed in Role] for has in Role] == [
        [True, True, True],
        [False, True, True],
        [False, False, True],
    ]


class Name(str):
    """A text that can be watched."""


def test_names_that_callers_make_up_are_not_kept() -> None:
    name = Name("made.v1.Up/" + "x" * 1000)
    left = weakref.ref(name)
    assert needed_role(name) is Role.ADMIN
    assert unversioned(name) not in TURNS
    del name
    gc.collect()
    assert left() is None
