"""When Python looks for garbage, which it does not do while a document is read and looked into."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_collection(*, of_a_large_document: bool = False) -> Generator[None]:
    """No search for garbage while many values come into being: it costs more than making them and finds nothing.

    Those of a large document, and what is made of one, hold no cycles and are freed without a search: they are left out
    of later ones too.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if of_a_large_document:
            gc.freeze()
        if was_enabled:
            gc.enable()
