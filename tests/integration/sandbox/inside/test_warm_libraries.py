"""Libraries that were warmed once, as executions that are forked from there see them."""

from collections.abc import AsyncIterator
from importlib.util import find_spec

import pytest
import pytest_asyncio

from openplaybook.sandbox.base import Ended, Execution, Request
from openplaybook.sandbox.local.fork_server import ForkServer, ForkServerConfig

# Only looked for: what imports all of them is slower for it, and this process has no use for them.
_MISSING = [name for name in ("numpy", "pandas", "matplotlib") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {_MISSING}"),
    pytest.mark.asyncio(loop_scope="module"),
]

_PNG = b"\x89PNG\r\n\x1a\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm() -> AsyncIterator[ForkServer]:
    """One as it is configured where nobody says otherwise; to import the libraries is nearly all that a test takes."""
    server = await ForkServer.start(ForkServerConfig())
    yield server
    await server.aclose()


def _is_right(execution: Execution) -> bool:
    return (execution.ended, execution.exit_code, execution.stderr) == (Ended.EXIT, 0, "")


async def test_what_was_drawn_to_get_warm_is_drawn_again_by_each(warm: ForkServer) -> None:
    code = "plt.plot([1, 10, 100], label='a')\nplt.xscale('log')\nplt.title('$x^2$')\nplt.legend()\nplt.show()"
    executions = [await warm.execute(Request(code=code)) for _ in range(3)]

    assert all(map(_is_right, executions))
    assert [[file.name for file in each.files] for each in executions] == [["figure_1.png"]] * 3
    pictures = {each.files[0].data for each in executions}
    assert len(pictures) == 1
    assert pictures.pop().startswith(_PNG)


async def test_tables_are_computed_and_shown_without_an_import(warm: ForkServer) -> None:
    code = "pd.DataFrame({'kind': ['a', 'b', 'a'], 'units': np.arange(3)}).groupby('kind').units.sum().to_dict()"
    execution = await warm.execute(Request(code=code))

    assert _is_right(execution)
    assert execution.stdout == "{'a': 2, 'b': 1}"


async def test_random_numbers_differ_from_one_to_the_next(warm: ForkServer) -> None:
    code = "import random\nprint(random.random(), np.random.rand(), np.random.default_rng().random())"
    drawn = [(await warm.execute(Request(code=code))).stdout.split() for _ in range(3)]

    assert len({number for numbers in drawn for number in numbers}) == 9
