"""A tool of a kind that is not run here."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Action, Call, Failure, InvalidTool, ToolContext
from openplaybook.tools.unimplemented import delegates
from openplaybook.tools.unimplemented.placeholder import PlaceholderTool
from tests.kit.openapi import PARTS

INTEGER: JsonObject = {"type": "object", "properties": {"200": {"type": "integer"}}}
DECLARED = Action("ask", "ask me", "tools/t", "Ask", "", {}, lambda: INTEGER)
UNKNOWN = Action("other", "other", "tools/t", "Ask", "", {})
TOOL = PlaceholderTool("data store tools", [DECLARED, UNKNOWN])


def test_its_actions_are_declared_in_order() -> None:
    assert TOOL.actions() == (DECLARED, UNKNOWN)


async def test_a_call_is_refused_with_what_can_be_done_instead() -> None:
    assert await TOOL.invoke(Call("c", DECLARED, {}), ToolContext("s")) == Failure(
        "UNIMPLEMENTED",
        "data store tools are not supported by this server yet, so ask me was not called; "
        "with client-side execution the client can answer it",
    )


@pytest.mark.parametrize(
    ("action", "output", "problems"),
    [
        (DECLARED, {"200": 5}, ()),
        (DECLARED, {"200": "x"}, ('200 must be integer, got "x"',)),
        (DECLARED, {"404": "x"}, ()),
        (DECLARED, {}, ()),
        (UNKNOWN, {"200": "x"}, ()),
    ],
)
async def test_an_answer_of_the_client_is_checked_where_its_form_is_known(
    action: Action, output: JsonObject, problems: tuple[str, ...]
) -> None:
    assert await TOOL.check_result(action, output) == problems


def test_an_extension_needs_its_name() -> None:
    assert delegates.build_extension({}, {"name": "projects/p/locations/l/extensions/e"}, PARTS).actions() == ()
    with pytest.raises(InvalidTool, match=r"\$\.extensionSpec\.name: is required"):
        delegates.build_extension({}, {}, PARTS)
