"""The context of log lines: trace parents."""

import pytest

from openplaybook.telemetry.log_lines import trace_context, trace_id_of

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize("after", ["01", "00", "01-of a later version"])
def test_the_trace_id_is_read(after: str) -> None:
    assert trace_id_of(f"00-{TRACE}-b7ad6b7169203331-{after}") == TRACE
    assert trace_context(f"00-{TRACE}-b7ad6b7169203331-{after}") == {"trace": TRACE}


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", f"00-{TRACE}", f"00-{TRACE.upper()}-b7ad6b7169203331-01", f"00-{'0' * 32}-b7ad6b7169203331-01"],
)
def test_what_is_none_gives_none(text: str) -> None:
    assert trace_id_of(text) == ""
    assert trace_context(text) == {}
