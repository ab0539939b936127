"""Samples judged by openapi-core and openapi-spec-validator, other authors' readers of OpenAPI."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

import openapi_core
import openapi_spec_validator
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict

from openplaybook.drafting.samples import Sample
from openplaybook.jsonvalues import JsonObject


class SampleRequest:
    """A sample as openapi-core reads requests."""

    def __init__(self, sample: Sample) -> None:
        url = urlsplit(sample.url)
        self.host_url = f"{url.scheme}://{url.netloc}"
        self.path = url.path
        self.method = sample.method.lower()
        self.body = sample.request_body.encode() or None
        self.content_type = "application/json"
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(parse_qsl(url.query, keep_blank_values=True)), header=Headers(dict(sample.headers))
        )


class SampleResponse:
    """A sample as openapi-core reads answers."""

    def __init__(self, sample: Sample) -> None:
        self.data = sample.response_body.encode() or None
        self.status_code = sample.status
        self.content_type = "application/json"
        self.headers = Headers()


def judge(document: JsonObject, samples: Sequence[Sample]) -> None:
    """Raises what an independent author finds wrong with the document or with a sample."""
    openapi_spec_validator.validate(document)
    api = openapi_core.OpenAPI.from_dict(document)
    for sample in samples:
        request = SampleRequest(sample)
        api.validate_request(request)
        api.validate_response(request, SampleResponse(sample))
