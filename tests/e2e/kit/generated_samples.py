"""The samples that Google generates for every method of its clients: as they stand in the methods' docstrings.

They are those of the libraries' `samples/generated_samples`, one for each method of each client, blocking and asyncio.
"""

import inspect
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from openplaybook.wire.api import Api, Method

LIBRARIES = ("dialogflowcx_v3", "dialogflowcx_v3beta1", "ces_v1", "ces_v1beta")


@dataclass(frozen=True)
class Sample:
    """One sample."""

    library: str
    """Such as `ces_v1beta`, the module in `google.cloud` that it imports."""
    method: Method
    """The RPC that it calls."""
    code: str
    function: str
    """Name of the function in it that does everything."""
    is_asyncio: bool

    @property
    def name(self) -> str:
        """The RPC's name behind its package, such as `Agents.ListAgents`."""
        return self.method.full_name.split(f".{self.method.version}.")[-1]


def samples_of(library: str, api: Api) -> Sequence[Sample]:
    """Every sample of a library."""
    clients = vars(import_module(f"google.cloud.{library}"))
    package = _PACKAGES[library.partition("_")[0]]
    methods = {
        method.full_name.lower(): method
        for method in api.methods.values()
        if method.full_name.startswith(f"{package}.{library.partition('_')[2]}.")
    }
    found: list[Sample] = []
    for name, client in sorted(clients.items()):
        if not name.endswith("Client"):
            continue
        service = name.removesuffix("Client").removesuffix("Async").lower()
        for called, function in inspect.getmembers(client, inspect.isfunction):
            code = _code(function.__doc__ or "")
            if code:
                rpc = f"{package}.{library.partition('_')[2]}.{service}.{called.replace('_', '')}"
                found.append(Sample(library, methods[rpc], code, f"sample_{called}", name.endswith("AsyncClient")))
    return found


_PACKAGES = {"dialogflowcx": "google.cloud.dialogflow.cx", "ces": "google.cloud.ces"}
_BLOCK = re.compile(r"\.\. code-block:: python\n\n(.*?)\n(?=\s*(?:Args|Raises|Returns):)", re.DOTALL)


def _code(docstring: str) -> str:
    found = _BLOCK.search(docstring)
    return textwrap.dedent(found.group(1)) if found and "def sample_" in found.group(1) else ""
