"""Conversations with apps on streams, through Google's clients."""

import queue
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.ces.conftest import VERSIONS
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.studio import SCRIPT, Studio, calls_of, ids_of, open_studio, texts
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")


def streamed(studio: Studio, *inputs: JsonObject, **config: object) -> Sequence[ApiMessage]:
    """The outputs of a StreamRunSession, message after message."""
    request = {"config": {"session": studio.session(), **config}, "inputs": list(inputs)}
    answers = studio.google("SessionService").stream_run_session(request=request)
    return [output for answer in answers for output in answer.outputs]


def test_a_turn_comes_as_it_happens_and_its_last_output_completes_it(studio: Studio) -> None:
    outputs = streamed(studio, {"text": "two cities"})
    assert texts(outputs) == ["One moment."]
    assert [call["args"]["city"] for call in calls_of(outputs)] == ["Oslo", "Rome"]
    assert [output.turn_completed for output in outputs] == [False, True]
    assert {output.turn_index for output in outputs} == {1}


def test_words_are_streamed_once_where_they_are_asked_for(studio: Studio) -> None:
    outputs = streamed(studio, {"text": "say something rather long"}, enable_text_streaming=True)
    assert "".join(texts(outputs)).split() == ["You", "said:", "say", "something", "rather", "long"]
    assert [output.turn_completed for output in outputs[-2:]] == [False, True]
    assert outputs[-1].diagnostic_info.root_span.name == "Turn"


def test_what_cannot_be_taken_is_a_status_and_no_output(studio: Studio) -> None:
    with pytest.raises((exceptions.NotFound, exceptions.BadRequest)):
        streamed(studio, {"text": "hi"}, deployment=f"{studio.app}/deployments/none")


class Dialogue:
    """A BidiRunSession that is spoken to turn by turn."""

    def __init__(self, studio: Studio, **config: object) -> None:
        self._said: queue.SimpleQueue[JsonObject | None] = queue.SimpleQueue()
        self._said.put({"config": {"session": studio.session(), **config}})
        self._client = studio.google("SessionService")
        self._kind = studio.google.BidiSessionClientMessage
        self._answers: Iterator[ApiMessage] | None = None

    def say(self, **given: object) -> Sequence[ApiMessage]:
        """What comes until the turn is completed."""
        self._said.put({"realtime_input": given})
        outputs: list[ApiMessage] = []
        while not outputs or not outputs[-1].turn_completed:
            outputs.append(next(self._opened()).session_output)
        return outputs

    def rest(self) -> list[str]:
        """The kinds of messages that come until the stream ends."""
        return [str(type(each).pb(each).WhichOneof("message_type")) for each in self._opened()]

    def half_close(self) -> None:
        """Say that nothing more comes."""
        self._said.put(None)

    def _opened(self) -> Iterator[ApiMessage]:
        """The stream. Google's client opens it only with its first answer: something has to be said before."""
        if self._answers is None:
            self._answers = iter(self._client.bidi_run_session(requests=self._messages()))
        return self._answers

    def _messages(self) -> Iterator[ApiMessage]:
        while (message := self._said.get()) is not None:
            yield self._kind(message)


@pytest.fixture(params=VERSIONS)
def spoken(
    request: pytest.FixtureRequest, studio_server: Server, background: Background, pets: HttpPeer
) -> Iterator[Studio]:
    """An app that is talked to over gRPC: the only transport with streams both ways."""
    clients = Google(request.param, "grpc", studio_server, background, "ces")
    yield open_studio(clients, Rest(studio_server.http), pets)
    clients.close()


@pytest.mark.proves("S2", "S3")
def test_a_whole_conversation_fits_on_one_stream(spoken: Studio) -> None:
    dialogue = Dialogue(spoken)
    assert texts(dialogue.say(text="hello")) == ["You said: hello"]
    assert texts(dialogue.say(text="hello")) == ["You said: hello"]
    asked = dialogue.say(text="weather in Oslo")
    [id_] = ids_of(asked)
    response = {"id": id_, "tool": spoken.weather, "response": {"temperature": 3}}
    assert texts(dialogue.say(tool_responses={"tool_responses": [response]})) == ["It is 3 degrees."]
    last = dialogue.say(text="goodbye")
    assert (texts(last), last[-1].turn_index) == (["Bye."], 5)
    assert dict(last[-1].end_session.metadata) == {"session_escalated": True, "reason": "all is said"}
    assert dialogue.rest() == ["end_session"]
    with pytest.raises(exceptions.BadRequest):
        spoken.say("are you there?")


def test_audio_is_refused_with_a_sentence(spoken: Studio) -> None:
    dialogue = Dialogue(spoken)
    with pytest.raises(exceptions.MethodNotImplemented, match="audio is not served yet"):
        dialogue.say(audio=b"\0\0")


def test_a_stream_that_is_half_closed_ends(spoken: Studio) -> None:
    dialogue = Dialogue(spoken)
    dialogue.say(text="hello")
    dialogue.half_close()
    assert dialogue.rest() == []


def test_streams_are_told_that_the_server_goes_away(tmp_path: Path, background: Background, pets: HttpPeer) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    with running(tmp_path, "--model", f"scripted:{tmp_path / 'script.yaml'}") as server:
        clients = Google("v1beta", "grpc", server, background, "ces")
        dialogue = Dialogue(open_studio(clients, Rest(server.http), pets))
        dialogue.say(text="hello")
        server.process.terminate()
        assert dialogue.rest() == ["go_away"]
        clients.close()
