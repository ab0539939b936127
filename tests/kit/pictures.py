"""Pictures compared as pictures: by size, by colours, and pixel by pixel against one drawn here."""

from collections.abc import Callable, Mapping
from importlib import import_module
from io import BytesIO
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from openplaybook.wire.messages import ApiMessage

Pixels = NDArray[np.int16]
"""Rows × columns × red, green, blue; 0 to 255."""

Draw = Callable[[ApiMessage], None]
"""Draws with `matplotlib.pyplot`, which it is given; the figure it leaves is the picture."""

_MARKED = 24
"""Difference of a colour that an eye sees."""
_DIFFERENT = 0.0001
"""Share of the pixels that may differ: less than one point of a plot has."""


def pixels(picture: bytes) -> Pixels:
    """The pixels of a picture in any format that Pillow reads, on white."""
    with Image.open(BytesIO(picture)) as image:
        seen = image.convert("RGBA")
    paper = Image.new("RGBA", seen.size, "white")
    return np.asarray(Image.alpha_composite(paper, seen).convert("RGB"), dtype=np.int16)


def drawn(draw: Draw, *, trimmed: bool = False) -> bytes:
    """The PNG of what is drawn, as matplotlib draws it when nothing else is said; `trimmed`: without empty edges."""
    import_module("matplotlib").use("Agg")
    plt = import_module("matplotlib.pyplot")
    written = BytesIO()
    # Libraries warn of each other; that is not the drawing's concern.
    with plt.rc_context(), catch_warnings(action="ignore"):
        plt.rcdefaults()
        try:
            draw(plt)
            plt.savefig(written, format="png", bbox_inches="tight" if trimmed else None)
        finally:
            plt.close("all")
    return written.getvalue()


def difference(one: Pixels, other: Pixels) -> float:
    """The share of pixels that an eye would call different; 1 for pictures of different sizes."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other).max(axis=2) > _MARKED).mean())


def share(seen: Pixels, colour: str) -> float:
    """The share of pixels that have a colour, `#1f77b4`."""
    wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    return float((np.abs(seen - wanted).max(axis=2) <= _MARKED).mean())


def check_picture(picture: bytes, reference: bytes, colours: Mapping[str, float]) -> None:
    """Hold a PNG against another, and the least share of each colour against what is seen."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    seen = pixels(picture)
    expected = pixels(reference)
    assert seen.shape == expected.shape, f"{seen.shape} is not the size {expected.shape}"
    apart = difference(seen, expected)
    assert apart <= _DIFFERENT, f"{apart:.2%} of the pixels differ"
    few = {colour: share(seen, colour) for colour, least in colours.items() if share(seen, colour) < least}
    assert few == {}, f"too little of {few}"


def looks_like(draw: Draw, *, trimmed: bool = False, **colours: float) -> Callable[[bytes], None]:
    """Checks for `check_picture`; colours are given without `#`, after an underscore: `_1f77b4=0.01`."""
    least = {f"#{name.removeprefix('_')}": each for name, each in colours.items()}
    return lambda picture: check_picture(picture, drawn(draw, trimmed=trimmed), least)
