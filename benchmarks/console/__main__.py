"""The console in Chromium: its first load, typing in a schema of 5 MB, scrolling through a trace of 2,000 steps.

    python -m benchmarks.console [--loads 9]

One server, one browser. Each load has a browser context of its own, so nothing is cached; the peer is the same page
once more in that context, from the cache. Interactive is when the message box takes text and a frame was drawn with it.
A key is timed from its event to the second frame after it, so that a frame that is due anyway counts; the peer is the
same editor with a schema of 5 kB. Scrolling is timed by the frames in between; the peer is a page that is blank.
"""

import argparse
import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, Page, Route, async_playwright

from benchmarks.console.pages import FRAMES, KEYS, READY, chromium, schema, trace
from benchmarks.figures import quantile
from benchmarks.rows import Goal, cost, report
from benchmarks.serving import served
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject, JsonValue

_LOCATION = "projects/bench/locations/global"
_AGENT: JsonObject = {"displayName": "Bench", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
_SECOND = Goal(ours_at_most=1000)
_BUDGET = Goal(ours_at_most=250)
_FLUID = Goal(ours_at_most=50)
_SIXTY = Goal(ours_at_most=17)
"""Milliseconds of a frame at 60 a second, and what a clock of microseconds adds."""
_LARGE, _SMALL = 5_000_000, 5_000
"""Characters of a schema."""
_STEPS = 2000


class Console:
    """The console of one server in one browser."""

    def __init__(self, browser: Browser, origin: str, agent: str) -> None:
        self._browser = browser
        self._origin = origin
        self._agent = agent

    async def page(self) -> Page:
        """An empty page, in a context without anything in its cache."""
        context = await self._browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
        return await context.new_page()

    async def loads(self, number: int) -> tuple[float, float, float, float]:
        """Milliseconds until interactive, first and cached, and kilobytes, as sent and unpacked."""
        page = await self.page()
        await page.add_init_script(READY)
        address = f"{self._origin}/console/{self._agent}/sessions/load-{number}"
        times: list[float] = []
        sizes: list[float] = []
        for _ in range(2):
            await page.goto(address)
            await page.get_by_role("textbox", name="Message").wait_for()
            await page.wait_for_load_state("networkidle")
            times.append(await page.evaluate("interactive"))
            sizes = sizes or await page.evaluate(
                """() => ["encodedBodySize", "decodedBodySize"].map((size) => performance.getEntriesByType("resource")
                    .concat(performance.getEntriesByType("navigation"))
                    .filter(({ name }) => name.includes("/console/"))
                    .reduce((sum, each) => sum + each[size], 0) / 1000)"""
            )
        await page.context.close()
        return times[0], times[1], sizes[0], sizes[1]

    async def keys(self, tool: str) -> Sequence[float]:
        """Milliseconds of each of 60 keys in a tool's schema."""
        page = await self.page()
        await page.add_init_script(KEYS)
        await page.goto(f"{self._origin}/console/{tool}")
        editor = page.get_by_role("textbox", name="OpenAPI schema")
        await editor.wait_for()
        await page.wait_for_load_state("networkidle")
        await editor.click()
        await page.evaluate("keyTimes.length = 0")
        await page.keyboard.type("# typed to see how long a key takes, sixty characters of it", delay=60)
        times: list[float] = await page.evaluate("keyTimes")
        await page.context.close()
        return times

    async def frames(self, *, blank: bool) -> Sequence[float]:
        """Milliseconds between the frames of two seconds, while a trace scrolls, or of a blank page."""
        page = await self.page()
        if blank:
            times: list[float] = await page.evaluate(FRAMES, "")
        else:
            session = f"{self._agent}/sessions/long"
            for pattern, response in trace(session, _STEPS):
                await page.route(re.compile(pattern), _answering(response))
            await page.goto(f"{self._origin}/console/{session}")
            await page.get_by_role("listbox", name="Steps").wait_for()
            await page.wait_for_load_state("networkidle")
            times = await page.evaluate(FRAMES, "[role=listbox][aria-label=Steps]")
        await page.context.close()
        return times


def _answering(answer: JsonValue) -> Callable[[Route], Awaitable[None]]:
    async def fulfil(route: Route) -> None:
        await route.fulfill(json=answer)

    return fulfil


async def measure(connection: Connection, origin: str, loads: int) -> None:
    """Print the rows."""
    agent: str = (await connection.must("POST", f"/v3/{_LOCATION}/agents", _AGENT))["name"]
    tools: list[str] = []
    for size in (_LARGE, _SMALL):
        tool: JsonObject = {"displayName": f"api-{size}", "description": "Large.", "openApiSpec": {}}
        tool["openApiSpec"] = {"textSchema": schema(size)}
        tools.append((await connection.must("POST", f"/v3/{agent}/tools", tool))["name"])
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        console = Console(browser, origin, agent)
        rounds = [await console.loads(number) for number in range(loads + 1)][1:]
        first, cached, sent, unpacked = (quantile(each, 0.5) for each in zip(*rounds, strict=True))
        report(cost("console: simulator interactive, first load, p50", "ms", first, cached, "from the cache", _SECOND))
        report(cost("console: first load of the simulator", "kB", sent, unpacked, "not compressed", _BUDGET))
        keys = [quantile(await console.keys(tool), 0.95) for tool in tools]
        report(cost("console: a key in a schema of 5 MB, p95", "ms", keys[0], keys[1], "a schema of 5 kB", _FLUID))
        scrolled, blank = [quantile(await console.frames(blank=each), 0.95) for each in (False, True)]
        report(cost("console: frame while 2,000 steps scroll, p95", "ms", scrolled, blank, "a blank page", _SIXTY))
        await browser.close()


async def run(folder: Path, loads: int) -> None:
    """Start the server and measure."""
    async with served(folder) as connection:
        await measure(connection, connection.origin, loads)


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=9, help="how often the page is loaded (default 9)")
    with TemporaryDirectory(prefix="console-") as folder:
        asyncio.run(run(Path(folder), parser.parse_args().loads))


if __name__ == "__main__":
    sys.exit(main())
