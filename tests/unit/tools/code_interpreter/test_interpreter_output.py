"""What a call gives, in Google's shape."""

import base64
from dataclasses import replace

from openplaybook.sandbox.base import CodeFile, Skipped
from openplaybook.tools.base import Files, StoredFile, Success
from openplaybook.tools.code_interpreter.interpreter_output import ProgramRun, success
from tests.kit.code import NO_FILE, output_of, ran
from tests.kit.held_files import HeldFiles

PNG = b"\x89PNG\r\n\x1a\n"
FILES = (CodeFile("figure_1.png", PNG), CodeFile("out/a.csv", b"a,b\n"))


async def test_files_are_kept_with_the_conversation_and_named_by_their_handles() -> None:
    files = HeldFiles()
    output = output_of(await success(ProgramRun("c", ran("done\n", files=FILES)), files))
    first, second = output["output_files"]
    assert first == {"name": "figure_1.png", "mime_type": "image/png", "size": 8, "contents": first["contents"]}
    assert second == {"name": "out/a.csv", "mime_type": "text/csv", "size": 4, "contents": second["contents"]}
    assert await files.get(first["contents"]) == StoredFile(first["contents"], "figure_1.png", "image/png", PNG)


async def test_without_a_conversation_files_are_given_in_base64() -> None:
    output = output_of(await success(ProgramRun("c", ran(files=FILES[:1])), None))
    contents = base64.b64encode(PNG).decode()
    assert output["output_files"] == [
        {"name": "figure_1.png", "mime_type": "image/png", "size": 8, "contents": contents}
    ]


class FullFiles(HeldFiles):
    """Takes none."""

    async def put(self, name: str, media_type: str, data: bytes) -> StoredFile:
        """Refused."""
        raise ValueError("a file may have 4 bytes, not 8")


async def test_what_is_not_given_back_is_told() -> None:
    full: Files = FullFiles()
    execution = replace(
        ran("x\n", "careful\n", files=FILES[:1]), skipped=(Skipped("pipe", "no regular file"),), dropped=1_000
    )
    outcome = await success(ProgramRun("c", execution, notes=["Corrected."]), full, ["Left out."])
    assert isinstance(outcome, Success)
    assert output_of(outcome)["output_files"] == [NO_FILE]
    assert outcome.note == (
        "Left out. Corrected. The file figure_1.png is not given back: a file may have 4 bytes, not 8. "
        "The file pipe is not given back: no regular file. 1,000 bytes of output were left out. "
        "The code wrote to stderr: careful"
    )


async def test_one_trailing_newline_is_cut_and_no_more() -> None:
    assert output_of(await success(ProgramRun("c", ran("  8 \n\n")), None))["execution_result"] == "  8 \n"
    assert output_of(await success(ProgramRun("c", ran("8")), None))["execution_result"] == "8"


async def test_code_that_failed_keeps_what_it_had_printed_and_written() -> None:
    output = output_of(await success(ProgramRun("c", ran("half\n", "Boom\n", exit_code=3, files=FILES[1:])), None))
    assert (output["execution_result"], output["execution_error"]) == ("half", "Boom\nexit code 3")
    assert [each["name"] for each in output["output_files"]] == ["out/a.csv"]
