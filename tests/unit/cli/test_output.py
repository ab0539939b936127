import pytest

from openplaybook.cli.output import harmless, print_rows


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand a tab, grüße, 宠物", "two\nlines\tand a tab, grüße, 宠物"),
        ("\x1b]0;title\x07\x1b[2J", "\\x1b]0;title\\x07\\x1b[2J"),
        ("\u202etxt.exe\u2066 \u200f\u061c \ud800", "\\u202etxt.exe\\u2066 \\u200f\\u061c \\ud800"),
        ("over\rwritten\x08\x7f\x9b31m", "over\\x0dwritten\\x08\\x7f\\x9b31m"),
    ],
)
def test_a_text_from_elsewhere_does_not_steer_the_terminal(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_names_in_a_table_do_not_either(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([("a\x1b[31m", "b"), ("c", "d\x1b[0m")])
    assert capsys.readouterr().out == "a\\x1b[31m  b\nc          d\\x1b[0m\n"
