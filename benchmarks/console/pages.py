"""What the console shows while it is measured, and the scripts that measure in the page."""

import os
import shutil
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue

READY = """
const look = () => {
  const box = document.querySelector("textarea[aria-label=Message]");
  if (box && !box.disabled) requestAnimationFrame(() => (window.interactive = performance.now()));
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Sets `interactive`, in milliseconds since the navigation began."""

KEYS = """
window.keyTimes = [];
addEventListener("keydown", () => {
  const begun = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => keyTimes.push(performance.now() - begun)));
}, true);
"""
"""Fills `keyTimes`."""

FRAMES = """(selector) => new Promise((resolve) => {
  const box = [...(selector ? document.querySelectorAll(`${selector}, ${selector} *`) : [])]
    .find((each) => each.scrollHeight > each.clientHeight + 100 && getComputedStyle(each).overflowY !== "visible");
  if (selector && !box) throw new Error("nothing scrolls");
  const times = [];
  let last = performance.now();
  const end = last + 2000;
  const frame = (now) => {
    times.push(now - last);
    last = now;
    if (box) box.scrollTop += 40;
    if (now < end) requestAnimationFrame(frame);
    else resolve(times.slice(2));
  };
  requestAnimationFrame(frame);
})"""
"""Scrolls for two seconds what a selector names, or nothing, and gives the milliseconds between frames."""


def chromium() -> str:
    """The browser, as the tests find it; `FileNotFoundError` where there is none."""
    named = os.environ.get("OPENPLAYBOOK_CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        raise FileNotFoundError("there is no Chromium; OPENPLAYBOOK_CHROMIUM names one")
    return found


def schema(size: int) -> str:
    """An OpenAPI document of about so many characters, with one operation."""
    head = """openapi: 3.0.0
info: {title: Large, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /things:
    get:
      operationId: listThings
      responses: {200: {description: The things}}
components:
  schemas:
"""
    line = "    Thing%06d: {type: object, properties: {name: {type: string, description: The name of a thing}}}\n"
    return head + "".join(line % number for number in range((size - len(head)) // len(line % 0)))


def trace(session: str, count: int) -> Sequence[tuple[str, JsonValue]]:
    """What a server would respond about a turn with so many steps: patterns of addresses, and responses."""
    turn: JsonObject = {"name": f"{session}/turns/1", "number": 1, "index": 1, "text": "hi", "stepCount": count}
    steps: list[JsonValue] = [_step(number) for number in range(count)]
    return (
        (r"/sessions/long/turns\?", {"turns": [turn]}),
        (r"/turns/1/steps", {"steps": steps}),
        (":watch", [{"steps": [steps[0]]}]),
    )


def _step(number: int) -> JsonObject:
    time = f"2026-11-26T20:{number // 60 % 60:02}:{number % 60:02}.000000Z"
    call: JsonObject = {"toolDisplayName": "pets", "action": "getPet", "arguments": {"petId": number}}
    return {"number": number, "startTime": time, "endTime": time, "call": call}
