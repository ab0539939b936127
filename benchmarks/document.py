"""The tables in `docs/performance.md`: one for each benchmark, between marks of its own."""

from collections.abc import Sequence

from benchmarks.rows import Row

_HEAD = (
    "| what | ours | peer | against | ours is better by | goal | |\n|---|---:|---:|---|---:|---|---|"  # no title: met?
)


def marks(name: str) -> tuple[str, str]:
    """The comments around a benchmark's table."""
    return f"<!-- {name}:begin (make bench) -->", f"<!-- {name}:end -->"


def table(rows: Sequence[Row], about: str) -> str:
    """The Markdown between the marks; `about` says where and when the rows were measured."""
    return "\n".join([f"Measured {about}.", "", _HEAD, *map(_line, rows)])


def _line(row: Row) -> str:
    verdict = {True: "met", False: "**missed**", None: ""}[row.is_met]
    what = row.name.partition(": ")[2] or row.name
    cells = (
        what,
        f"{figure(row.ours)} {row.unit}",
        f"{figure(row.peer)} {row.unit}",
        row.against,
        f"{figure(row.ratio)}×",
        row.goal,
        verdict,
    )
    return f"| {' | '.join(cells)} |"


def figure(value: float) -> str:
    """A figure without an exponent or a needless point; thousands are set apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"


def with_table(document: str, name: str, text: str) -> str:
    """`document` with what stands between the marks of `name` replaced; `ValueError` when it lacks the marks."""
    begin, end = marks(name)
    head, found_begin, rest = document.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"the document lacks {begin} or {end}")
    return f"{head}{begin}\n{text}\n{end}{tail}"
