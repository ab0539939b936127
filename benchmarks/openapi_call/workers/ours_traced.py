"""Our OpenAPI tool with what a turn does for its trace: the exchange is rendered, secrets masked, bodies cut."""

from loop import Calls, work
from ours import prepare


async def prepare_traced() -> Calls:
    return await prepare(is_traced=True)


if __name__ == "__main__":
    work(prepare_traced)
