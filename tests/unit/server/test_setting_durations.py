import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.server.setting_durations import duration, or_forever, spelled

DAY = 86_400


@pytest.mark.parametrize(
    ("text", "seconds"), [("45s", 45), ("30m", 1800), ("24h", DAY), ("30d", 30 * DAY), ("0", 0), (0, 0), ("0d", 0)]
)
def test_a_duration_is_a_number_and_its_unit(text: JsonValue, seconds: int) -> None:
    assert duration(0, 30 * DAY)(text) == seconds


@pytest.mark.parametrize("text", ["", "30", 30, "-1d", "1.5h", "1 h", "5w", "٣m", None, True, "0.0", "1000000000s"])
def test_what_is_no_duration_is_refused_with_what_is_allowed(text: JsonValue) -> None:
    with pytest.raises(ValueError, match=r"^must be a whole number with s, m, h or d behind it, from 0 to 30d$"):
        duration(0, 30 * DAY)(text)


def test_forever_is_no_duration() -> None:
    read = or_forever(duration(0, 30 * DAY))
    assert (read("forever"), read("2d")) == (None, 2 * DAY)
    with pytest.raises(ValueError, match=r"from 0 to 30d; or forever$"):
        read("ever")


@pytest.mark.parametrize("text", ["0", "25h"])
def test_a_duration_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="from 1s to 1d"):
        duration(1, DAY)(text)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0"), (1, "1s"), (90, "90s"), (5400, "90m"), (3 * DAY, "3d")])
def test_a_duration_is_spelled_in_its_largest_unit(seconds: int, text: str) -> None:
    assert spelled(seconds) == text
