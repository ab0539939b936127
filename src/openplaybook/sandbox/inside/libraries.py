"""Libraries that code may expect: by what names it knows them, and what it is told of one that is not there."""

import sys
from types import ModuleType

BOUND = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "math": "math", "re": "re", "io": "io"}
"""Names that code finds bound without importing: models that know Google's Code Interpreter use them so (the preamble
of google-adk's `VertexAiCodeExecutor`)."""

OFFERED = frozenset(
    {"PIL", "altair", "chess", "cv2", "dateutil", "matplotlib", "mpmath", "numpy", "openpyxl", "pandas", "pdfminer"}
    | {"reportlab", "scipy", "seaborn", "sklearn", "statsmodels", "striprtf", "sympy", "tabulate", "tzdata"}
    | {"xlsxwriter"}
)
"""What can be imported where the extra `code-interpreter` is installed."""


class LazyLibrary(ModuleType):
    """Stands for a library that is installed or not, and is imported when it is first used.

    From then on the name it was bound to is the library itself, unless code has bound it to something else.
    """

    def __init__(self, name: str, bound: str, namespace: dict[str, object]) -> None:
        super().__init__(name)
        self.__dict__["_place"] = (bound, namespace)

    def __getattr__(self, attribute: str) -> object:
        bound, namespace = self.__dict__["_place"]
        library = __import__(self.__name__, fromlist=["*"])
        if namespace.get(bound) is self:
            namespace[bound] = library
        return getattr(library, attribute)


def bind(namespace: dict[str, object]) -> None:
    """Bind the names of `BOUND`; a library that is not in memory costs nothing until it is used."""
    for bound, name in BOUND.items():
        namespace[bound] = sys.modules.get(name) or LazyLibrary(name, bound, namespace)


def missing(error: ImportError) -> str:
    """What to say of a library that code could not import; empty where it is there, or no library."""
    if error.name is None or sys.modules.get(top := error.name.partition(".")[0]) is not None:
        return ""
    if top in OFFERED:
        return f"library not installed: {top} (it comes with the extra code-interpreter)"
    return f"library not installed: {top}; there is no network to install it from"
