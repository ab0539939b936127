"""The demo agent computes what needs no language model, through Google's client."""

from pathlib import Path

import grpc
import pytest
from google.cloud import dialogflowcx_v3 as cx

from tests.e2e.kit.server import running
from tests.e2e.kit.shop import said, to_json
from tests.kit.sandboxed import ALL_LIBRARIES

DRAWING = "```python\nimport matplotlib.pyplot as plt\n\nplt.bar(['dogs', 'cats'], [2, 3])\nprint('5 pets')\n```"


@pytest.mark.proves("B1", "B4", "B6")
def test_the_demo_computes_solves_and_draws(tmp_path: Path) -> None:
    libraries = {"OPENPLAYBOOK_CODE_PRELOAD": ALL_LIBRARIES}
    with running(tmp_path, command="demo", **libraries) as server, grpc.insecure_channel(server.grpc) as channel:
        sessions = cx.SessionsClient(transport=cx.SessionsClient.get_transport_class("grpc")(channel=channel))
        session = f"{server.facts['Agent']}/sessions/1"

        def turn(words: str) -> cx.DetectIntentResponse:
            query = {"text": {"text": words}, "language_code": "en"}
            return sessions.detect_intent(request={"session": session, "query_input": query})

        assert said(turn("what is 4 + 4?")) == ["The result is 8."]
        assert said(turn("solve x^2 = 9")) == ["The result is [-3, 3]."]
        assert said(turn("1 / 0")) == ["Sorry, that did not work: ZeroDivisionError: division by zero"]
        drawn = turn(DRAWING)
        assert said(drawn) == ["The result is 5 pets."]
        [shown] = [message for message in drawn.query_result.response_messages if "payload" in message]
        [[image]] = to_json(shown)["payload"]["richContent"]
        assert (image["type"], image["accessibilityText"]) == ("image", "figure_1.png")
        assert image["rawUrl"].startswith("data:image/png;base64,iVBORw0KGgo")
