"""What settings may be, and how they are named and shown."""

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.server.setting_values import (
    PATH,
    TEXT,
    YES_OR_NO,
    Setting,
    SettingValues,
    byte_count,
    duration,
    or_forever,
    spelled,
    whole_number,
)

DAY = 86_400


@pytest.mark.parametrize(
    ("text", "seconds"), [("45s", 45), ("30m", 1800), ("24h", DAY), ("30d", 30 * DAY), ("0", 0), (0, 0), ("0d", 0)]
)
def test_a_duration_is_a_number_and_its_unit(text: JsonValue, seconds: int) -> None:
    assert duration(0, 30 * DAY).read(text) == seconds


@pytest.mark.parametrize("text", ["", "30", 30, "-1d", "1.5h", "1 h", "5w", "٣m", None, True, "0.0", "1000000000s"])
def test_what_is_no_duration_is_refused_with_what_is_allowed(text: JsonValue) -> None:
    with pytest.raises(ValueError, match=r"^must be a whole number with s, m, h or d behind it, from 0 to 30d$"):
        duration(0, 30 * DAY).read(text)


def test_forever_is_no_duration() -> None:
    read = or_forever(duration(0, 30 * DAY)).read
    assert (read("forever"), read("2d")) == (None, 2 * DAY)
    with pytest.raises(ValueError, match=r"from 0 to 30d; or forever$"):
        read("ever")


@pytest.mark.parametrize("text", ["0", "25h"])
def test_a_duration_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="from 1s to 1d"):
        duration(1, DAY).read(text)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0"), (1, "1s"), (90, "90s"), (5400, "90m"), (3 * DAY, "3d")])
def test_a_duration_is_spelled_in_its_largest_unit(seconds: int, text: str) -> None:
    assert spelled(seconds) == text


@pytest.mark.parametrize(
    ("values", "default", "text"),
    [
        (byte_count(0, 10**9), 96 * 1024 * 1024, "96 MiB"),
        (duration(1, DAY), 1800, "30m"),
        (whole_number(0, 9), 0, "0"),
        (TEXT, "local", "local"),
        (TEXT, "", ""),
        (YES_OR_NO, False, ""),
        (PATH, None, ""),
    ],
)
def test_a_default_is_shown_as_it_would_be_written(values: SettingValues, default: JsonValue, text: str) -> None:
    assert values.shown(default) == text


def test_a_setting_has_one_name_in_every_source() -> None:
    named = Setting("data_dir", PATH, "Directory.", "", "", is_secret=False)
    assert (named.flag, named.variable) == ("--data-dir", "OPENPLAYBOOK_DATA_DIR")
