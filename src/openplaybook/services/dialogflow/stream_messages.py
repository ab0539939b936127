"""Messages of StreamingDetectIntent, in those of detectIntent."""

from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_V = "google.cloud.dialogflow.cx.v3beta1."


class StreamMessages:
    """Restates messages of the v3beta1 API."""

    def __init__(self, api: Api) -> None:
        self._request = api.message(f"{_V}DetectIntentRequest")
        self._response = api.message(f"{_V}StreamingDetectIntentResponse")

    def detect_intent(self, first: ApiMessage) -> ApiMessage:
        """The DetectIntentRequest that the first message of a stream amounts to."""
        request = self._request(session=first.session, response_view=first.response_view)
        for field in ("query_params", "query_input"):
            if first.HasField(field):
                getattr(request, field).CopyFrom(getattr(first, field))
        return request

    def streamed(self, response: ApiMessage, *, partials: int | None) -> ApiMessage:
        """A DetectIntentResponse as a message of the stream; with debugging info where `partials`, their number, is
        given."""
        message = self._response(detect_intent_response=response)
        if partials is not None:
            message.debugging_info.partial_responses = partials
            message.debugging_info.is_input_text = True
        return message
