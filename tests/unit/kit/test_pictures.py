"""The comparison of pictures tells apart what an eye does, and nothing else."""

from importlib import import_module
from io import BytesIO

import pytest
from PIL import Image

from openplaybook.wire.messages import ApiMessage
from tests.kit.pictures import check_picture, difference, drawn, looks_like, pixels, share

BLUE = "#1f77b4"


def bars(*heights: float, colour: str = BLUE) -> ApiMessage:
    """Draws bars."""
    return lambda plt: plt.bar(list("abcdef"[: len(heights)]), heights, color=colour)


def test_the_same_drawing_is_the_same_picture() -> None:
    check_picture(drawn(bars(3, 1, 2)), drawn(bars(3, 1, 2)), {BLUE: 0.2})


@pytest.mark.parametrize(
    "other", [bars(3, 1, 2.2), bars(3, 1), bars(3, 1, 2, colour="#ff7f0e"), bars(3, 1, 2, 1)], ids=range(4)
)
def test_another_height_number_or_colour_is_another_picture(other: ApiMessage) -> None:
    with pytest.raises(AssertionError):
        check_picture(drawn(other), drawn(bars(3, 1, 2)), {})


def test_one_point_more_is_another_picture() -> None:
    def points(*places: int) -> ApiMessage:
        return lambda plt: plt.scatter(places, places)

    assert difference(pixels(drawn(points(1, 2, 3))), pixels(drawn(points(1, 3)))) > 0
    with pytest.raises(AssertionError):
        check_picture(drawn(points(1, 2, 3)), drawn(points(1, 3)), {})


def test_a_picture_of_another_size_is_another_picture() -> None:
    written = BytesIO()
    Image.new("RGB", (3, 2), "white").save(written, "png")
    assert pixels(written.getvalue()).shape == (2, 3, 3)
    assert difference(pixels(written.getvalue()), pixels(drawn(bars(1)))) == 1


def test_a_colour_that_is_missing_is_told() -> None:
    with pytest.raises(AssertionError, match="#ff7f0e"):
        looks_like(bars(1), _ff7f0e=0.01)(drawn(bars(1)))


def test_what_is_transparent_is_paper() -> None:
    written = BytesIO()
    Image.new("RGBA", (4, 4), (255, 0, 0, 0)).save(written, "png")
    assert share(pixels(written.getvalue()), "#ffffff") == 1


def test_empty_edges_may_be_left_out() -> None:
    whole, trimmed = pixels(drawn(bars(1))), pixels(drawn(bars(1), trimmed=True))
    assert whole.shape == (480, 640, 3)
    assert trimmed.shape[0] < 480
    assert share(trimmed, BLUE) > share(whole, BLUE)
    looks_like(bars(1), trimmed=True)(drawn(bars(1), trimmed=True))


def test_settings_of_earlier_drawings_do_not_stay() -> None:
    def dark(plt: ApiMessage) -> None:
        plt.style.use("dark_background")
        plt.bar(["a"], [1])

    before = drawn(bars(1))
    assert difference(pixels(drawn(dark)), pixels(before)) > 0.5
    assert difference(pixels(drawn(bars(1))), pixels(before)) == 0
    assert import_module("matplotlib.pyplot").get_fignums() == []
