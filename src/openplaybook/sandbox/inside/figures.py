"""Pictures that code shows, as files: open figures of matplotlib, and images of Pillow.

Nothing here imports either; both are met when code imports them.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Protocol, cast
from weakref import WeakSet

_PNG_MODES = {"1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA"}


class _Figure(Protocol):
    def get_children(self) -> Sequence[object]: ...

    def savefig(self, *arguments: object, **options: object) -> object: ...


class _Canvas(Protocol):
    figure: _Figure


class _Pyplot(Protocol):
    show: Callable[..., None]
    savefig: Callable[..., object]

    def gcf(self) -> _Figure: ...

    def get_fignums(self) -> Iterable[int]: ...

    def figure(self, number: int, /) -> _Figure: ...

    def close(self, which: str, /) -> None: ...


class _Image(Protocol):
    mode: str

    def convert(self, mode: str, /) -> "_Image": ...

    def save(self, path: str, /) -> None: ...


class Pictures:
    """Writes pictures into the workspace."""

    def __init__(self) -> None:
        self._folder = ""
        self._written: WeakSet[_Figure] = WeakSet()

    def write_into(self, folder: str) -> None:
        """From now on."""
        self._folder = folder

    def write_figures(self) -> None:
        """Write each open figure that has something on it and was not written before, by whomever; close them all, as
        a notebook does, so that what is drawn next is another one."""
        pyplot = cast("_Pyplot | None", sys.modules.get("matplotlib.pyplot"))
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            # A figure's only child at first is its background.
            if figure not in self._written and len(figure.get_children()) > 1:
                figure.savefig(self._free_path("figure"), bbox_inches="tight")
        pyplot.close("all")

    def was_written(self, figure: _Figure) -> None:
        """Note that a figure need not be written any more."""
        self._written.add(figure)

    def write_image(self, image: _Image) -> None:
        """Write what code shows."""
        picture = image if image.mode in _PNG_MODES else image.convert("RGBA" if image.mode.endswith("a") else "RGB")
        picture.save(self._free_path("image"))

    def _free_path(self, stem: str) -> str:
        number = 1
        while os.path.lexists(path := os.path.join(self._folder, f"{stem}_{number}.png")):
            number += 1
        return path


PICTURES = Pictures()
"""Of this interpreter, which runs code for one caller."""

_MARK = "_shown_as_files"


def watch() -> None:
    """See to it that what code shows is written, whether the libraries are in memory or come later."""
    for name, attach in _ATTACHING.items():
        if (module := sys.modules.get(name)) is not None and _MARK not in vars(module):
            attach(module)
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Watch(MetaPathFinder):
    """Finds the libraries as the other finders do, and attaches to them when they have been loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        attach = _ATTACHING.get(fullname)
        others = () if attach is None else (finder for finder in sys.meta_path if finder is not self)
        spec = next((each for finder in others if (each := finder.find_spec(fullname, path, target))), None)
        if spec is None or spec.loader is None or attach is None:
            return None
        load = spec.loader.exec_module

        def load_and_attach(module: ModuleType) -> None:
            load(module)
            attach(module)

        spec.loader.exec_module = load_and_attach
        return spec


def _attach_to_pyplot(module: ModuleType) -> None:
    pyplot = cast("_Pyplot", module)
    canvas: type = vars(sys.modules["matplotlib.backend_bases"])["FigureCanvasBase"]
    print_figure: Callable[..., object] = vars(canvas)["print_figure"]

    @wraps(print_figure)
    def printed(self: _Canvas, *arguments: object, **options: object) -> object:
        result = print_figure(self, *arguments, **options)
        PICTURES.was_written(self.figure)
        return result

    @wraps(pyplot.show)
    def show(*_: object, block: bool | None = None) -> None:
        # With block=False, code goes on drawing on the same figures.
        if block is not False:
            PICTURES.write_figures()

    @wraps(pyplot.savefig)
    def savefig(*arguments: object, **options: object) -> object:
        # Theirs then draws the figure once more, for a screen that there is none of.
        return pyplot.gcf().savefig(*arguments, **options)

    type.__setattr__(canvas, "print_figure", printed)
    pyplot.show, pyplot.savefig = show, savefig
    vars(module)[_MARK] = True


def _attach_to_pillow(module: ModuleType) -> None:
    def show(self: _Image, title: str | None = None) -> None:
        PICTURES.write_image(self)

    type.__setattr__(vars(module)["Image"], "show", show)
    vars(module)[_MARK] = True


_ATTACHING: Mapping[str, Callable[[ModuleType], None]] = {
    "matplotlib.pyplot": _attach_to_pyplot,
    "PIL.Image": _attach_to_pillow,
}
