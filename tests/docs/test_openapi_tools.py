"""The page on OpenAPI tools does what it says, against an API that has what it calls."""

from contextlib import AsyncExitStack
from pathlib import Path

from tests.docs.test_authentication import Scene
from tests.kit.http_peer import Received, answer, http_peer

ORDER = b'{"orderId":3,"state":"sent"}'


async def test_the_page_on_openapi_tools(tmp_path: Path) -> None:
    received: list[Received] = []

    def reply(it: Received) -> bytes:
        received.append(it)
        return answer(ORDER)

    async with AsyncExitStack() as stack:
        scene = Scene(tmp_path, stack)
        scene.places["https://api.example.com"] = (await stack.enter_async_context(http_peer(reply))).url
        await scene.runs("openapi-tools.md")
    [it] = received
    assert (it.target, it.header("X-Customer")) == ("/orders/3?lang=en", "c-7")
    assert it.header("X-Session")
