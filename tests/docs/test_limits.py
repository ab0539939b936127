"""The table of limits in docs/operating.md is the one that the server goes by."""

from pathlib import Path

from openplaybook.server.rpc_limits import LimitGroup, limit_groups

PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
PACKAGES = ("google.cloud.dialogflow.cx.", "google.cloud.", "google.longrunning.", "openplaybook.", "grpc.health.")
MIB = 1024 * 1024


def row(group: LimitGroup) -> str:
    limit = group.limit
    size = "`max_body_bytes`" if limit.body is None else f"{limit.body // MIB} MiB"
    seconds = "none" if limit.seconds is None else f"{limit.seconds} s"
    longest = "shorter only" if limit.longest is None else f"{limit.longest} s"
    return f"| {', '.join(f'`{short(rpc)}`' for rpc in group.rpcs)} | {size} | {seconds} | {longest} |"


def short(rpc: str) -> str:
    return next((rpc.removeprefix(package) for package in PACKAGES if rpc.startswith(package)), rpc)


def test_the_page_shows_the_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("<!-- limits:"))
    shown = lines[start + 4 : start + 4 + len(limit_groups())]
    assert shown == [row(group) for group in limit_groups()]
