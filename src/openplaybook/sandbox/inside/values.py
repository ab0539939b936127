"""The value of a program's last expression, as it is shown."""

from itertools import islice
from typing import cast

_DRAWN = "matplotlib."
_LOOKED_AT = 4


def shown(value: object) -> str:
    """Its `repr`; empty for None and for what drawing calls give back: the picture is shown in its place.

    Raises what `repr` does.
    """
    return "" if value is None or _is_drawn(value) else repr(value)


def _is_drawn(value: object, depth: int = 3) -> bool:
    """Whether it is of matplotlib, or a collection of such: `plot` gives a list, `hist` a tuple, `boxplot` a dict."""
    if type(value).__module__.startswith(_DRAWN):
        return True
    is_array = type(value).__module__ == "numpy" and str(getattr(value, "dtype", "")) == "object"
    if depth == 0 or not (is_array or isinstance(value, list | tuple | dict)):
        return False
    several = cast("dict[object, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)
    return any(_is_drawn(each, depth - 1) for each in islice(several, _LOOKED_AT))
