"""Files of tools as clients see them."""

import base64
from collections.abc import Mapping
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.response_files import NO_FILES, ResponseFiles, handles_in
from openplaybook.tools.base import StoredFile
from openplaybook.turns.base import AgentStep, Message, RichMessage, TextMessage, ToolStep, TraceStep, TurnResult

SESSION = "projects/p/locations/global/agents/a/sessions/s"
PREFIX = f"{SESSION}/files/"
BUILTIN = "projects/p/locations/global/agents/a/tools/df-code-interpreter-tool"
PNG = b"\x89PNG\r\n\x1a\nrest"
SVG = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
OUTPUT = "generate_and_execute output"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def shown(**files: bytes | None) -> ResponseFiles:
    kept: Mapping[str, StoredFile | None] = {
        PREFIX + id: None if data is None else StoredFile(PREFIX + id, f"{id}.bin", "", data)
        for id, data in files.items()
    }
    return ResponseFiles(PREFIX, kept)


def output(*ids: str) -> JsonObject:
    files = [{"name": f"{id}.bin", "contents": PREFIX + id, "size": 3} for id in ids]
    return {OUTPUT: {"execution_result": "8", "output_files": files}}


def called(
    given: JsonValue, *, tool: str = BUILTIN, end: int = 2, is_client: bool = False, within: str = ""
) -> ToolStep:
    return ToolStep(
        "p",
        "P",
        1,
        1,
        end,
        within=within,
        call_id="c1",
        tool=tool,
        tool_display_name="",
        action="generate_and_execute",
        arguments={"query": "q"},
        output=given,
        is_client=is_client,
    )


def told(messages: tuple[Message, ...], *trace: TraceStep) -> TurnResult:
    return TurnResult("r", messages, {}, "p", "P", "", "en", trace, paused=False)


@pytest.mark.proves("B2")
def test_handles_become_contents_under_documented_names() -> None:
    files = [{"name": "a.bin", "contents": encoded(b"abc")}, {"name": "b.bin", "contents": encoded(b"")}]
    assert shown(a=b"abc", b=b"").output(output("a", "b")) == {OUTPUT: {"execution_result": "8", "output_files": files}}


def test_a_file_that_is_gone_or_too_much_says_so() -> None:
    given = shown(a=None).output(output("a", "b"))
    assert isinstance(given, dict)
    assert given[OUTPUT]["output_files"] == [
        {"name": "a.bin", "contents": "", "note": "The file is no longer stored."},
        {
            "name": "b.bin",
            "contents": "",
            "note": f"Left out: the files of a response have at most 33554432 bytes. Get it by its name. {PREFIX}b",
        },
    ]


@pytest.mark.parametrize(
    "given",
    [
        None,
        "text",
        {"200": {"output_files": "none"}},
        {OUTPUT: {"output_files": [{"name": "", "contents": ""}]}},
        {OUTPUT: {"output_files": []}},
        {OUTPUT: {"output_files": [{"contents": f"{SESSION}2/files/a"}, 3]}},
        {"200": {"deeper": {"output_files": [{"contents": f"{PREFIX}a"}]}}},
    ],
)
def test_what_names_no_file_of_the_session_stays_as_it_is(given: JsonValue) -> None:
    assert shown(a=b"abc").output(given) == given
    assert list(handles_in(given, PREFIX)) == []


def test_a_call_of_a_built_in_tool_is_shown_as_documented() -> None:
    files = [{"name": "a.bin", "contents": encoded(b"abc")}]
    given = called(output("a"))
    assert shown(a=b"abc").step(given) == replace(
        given,
        arguments={"generate_and_execute input": "q"},
        output={OUTPUT: {"execution_result": "8", "output_files": files}},
    )
    other = called({"200": {}}, tool="projects/p/locations/global/agents/a/tools/t")
    assert shown().step(other) == other
    words = AgentStep("p", "P", 1, 1, 2, text="Hi")
    assert NO_FILES.step(words) == words


def test_images_stand_behind_the_words_of_the_agent() -> None:
    end = RichMessage({"endInteraction": {}})
    said = (TextMessage("One moment."), TextMessage("Here it is."), end)
    image = {"type": "image", "rawUrl": f"data:image/png;base64,{encoded(PNG)}", "accessibilityText": "a.bin"}
    drawn = RichMessage({"payload": {"richContent": [[image]]}})
    result = told(said, called(output("a", "b")), called(output("a")))
    assert shown(a=PNG, b=b"no image").messages(result) == (*said[:2], drawn, end)
    assert shown(a=PNG).messages(told((end,), called(output("a")))) == (drawn, end)


def test_images_of_client_calls_of_calls_within_calls_and_of_calls_under_way_are_not_shown() -> None:
    result = told((), called(output("a"), is_client=True), called(output("a"), within="c"), called(output("a"), end=0))
    assert shown(a=PNG).messages(result) == ()
