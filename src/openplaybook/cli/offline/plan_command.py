"""`openplaybook plan`: the offline planner on cases of tool calling."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from openplaybook.cli.errors import CommandError

if TYPE_CHECKING:
    from openplaybook.models.offline.tool_cases import ToolCase


def plan(
    cases: Annotated[Path, typer.Option(metavar="FILE", help="Cases, one JSON object a line.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write what the planner does, one line a case.")],
    history: Annotated[
        bool, typer.Option("--history", help="Put every earlier turn of the user's to the planner first.")
    ] = False,
) -> None:
    """Run the offline model on cases of tool calling: which call it makes, or what it asks for.

    A case has an id, messages, and tools with name, description and parameters, and may have examples and the day
    that it is (docs/offline.md). Tools are taken as safe: only those with `confirm_first` are confirmed.

    Exit code 0: all cases were planned; 1: a file or a case cannot be read.
    """
    import asyncio

    try:
        with cases.open("rb") as source, _written(out) as sink:
            count = asyncio.run(_planned(cases, source, sink, with_history=history))
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from error
    typer.echo(f"{count} cases planned: {out}")


@contextmanager
def _written(out: Path) -> Generator[BinaryIO]:
    """The file, under its name once all of it is there: a case that cannot be read leaves what was there before. A
    device is written to as it is."""
    if out.exists() and not out.is_file():
        with out.open("wb") as sink:
            yield sink
        return
    side = out.with_name(f"{out.name}.part")
    try:
        with side.open("wb") as sink:
            yield sink
        side.replace(out)
    finally:
        side.unlink(missing_ok=True)


async def _planned(path: Path, source: BinaryIO, sink: BinaryIO, *, with_history: bool) -> int:
    from openplaybook.encoders.encoder_registry import small_encoder
    from openplaybook.jsonvalues import dumps
    from openplaybook.models.offline import OfflineModel
    from openplaybook.models.offline.tool_cases import plan_case
    from openplaybook.models.offline.tool_meanings import ToolMeanings

    count, meanings = 0, ToolMeanings(small_encoder)
    try:
        for case in _read(path, source):
            prediction = await plan_case(
                case, lambda today: OfflineModel(lambda: today, meanings), with_history=with_history
            )
            sink.write(dumps(prediction) + b"\n")
            count += 1
    finally:
        await meanings.aclose()
    return count


def _read(path: Path, source: BinaryIO) -> Iterator["ToolCase"]:
    from openplaybook.jsonvalues import loads
    from openplaybook.models.offline.tool_cases import CaseFault, read_case

    for number, line in enumerate(source, start=1):
        if not line.strip():
            continue
        try:
            yield read_case(loads(line))
        except (CaseFault, ValueError) as error:
            raise CommandError(f"{path}, line {number}: {error}") from error
