"""Lines that strangers cause at will."""

import logging

import pytest

from openplaybook.telemetry.few_lines import LIBRARIES, LINES, WINDOW_S, FewLines, log_few_lines


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def line(text: str = "a line of %s") -> logging.LogRecord:
    return logging.LogRecord("library", logging.ERROR, __file__, 1, text, ("a stranger",), None)


def test_a_logger_logs_so_many_lines_in_a_while_and_no_more() -> None:
    few = FewLines(Clock())

    assert [few.filter(line()) for _ in range(LINES + 3)] == [*[True] * LINES, False, False, False]


def test_the_first_line_after_it_tells_how_many_were_left_out() -> None:
    clock = Clock()
    few = FewLines(clock)
    for _ in range(LINES + 1_234):
        few.filter(line())
    clock.now += WINDOW_S

    next_one, another = line(), line()
    assert (few.filter(next_one), few.filter(another)) == (True, True)
    assert next_one.getMessage() == "a line of a stranger (1,234 more such lines were left out)"
    assert another.getMessage() == "a line of a stranger"


@pytest.mark.parametrize("name", LIBRARIES)
def test_each_library_has_one_such_filter_however_often_logs_are_configured(name: str) -> None:
    log_few_lines()
    log_few_lines()

    assert [type(each) for each in logging.getLogger(name).filters] == [FewLines]
