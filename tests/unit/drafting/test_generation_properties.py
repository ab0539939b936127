"""Whatever the samples: the schema is valid, holds for every one of them, and its operations can be called."""

from urllib.parse import parse_qsl, unquote, urlsplit

import openapi_core
import pytest
from hypothesis import HealthCheck, given, settings

from openplaybook.drafting.placement import located
from openplaybook.drafting.samples import Sample, read_samples
from openplaybook.drafting.schema_generation import Assignment, generate
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.tools.base import Success
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.openapi import harness
from tests.kit.sample_judge import SampleRequest, judge
from tests.kit.sampled_apis import sampled_apis
from tests.kit.thoroughness import examples

# The samples are what they are, deprecated or not.
pytestmark = pytest.mark.filterwarnings("ignore:Use of allowEmptyValue:DeprecationWarning")


@pytest.mark.proves("O8")
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sampled_apis())
def test_the_schema_is_valid_and_every_sample_fits_it(samples: list[Sample]) -> None:
    generated = generate(Assignment(samples))
    document = as_object(load_document(generated.schema).root)
    judge(document, samples)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sampled_apis())
def test_every_operation_can_be_called_without_a_remark(samples: list[Sample]) -> None:
    report = inspect(generate(Assignment(samples)).schema, "shop.yaml")
    assert report["problems"] == []
    assert {(each["method"], tuple(each["problems"])) for each in report["actions"]} == {
        (sample.method, ()) for sample in samples
    }


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sampled_apis())
def test_merging_the_same_samples_again_changes_nothing(samples: list[Sample]) -> None:
    once = generate(Assignment(samples))
    again = generate(Assignment(samples, schema=once.schema))
    assert again.schema == once.schema
    assert again.remarks == []


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sampled_apis(), sampled_apis())
def test_a_merged_schema_holds_for_old_samples_and_new_ones(old: list[Sample], new: list[Sample]) -> None:
    first = generate(Assignment(old))
    document = as_object(load_document(generate(Assignment(new, schema=first.schema)).schema).root)
    judge(document, [*old, *new])


def arguments(document: JsonObject, sample: Sample) -> JsonObject:
    """What a model would have to call an operation with to send the sample, as an independent author reads it."""
    read = openapi_core.OpenAPI.from_dict(document).unmarshal_request(SampleRequest(sample))
    given = {**read.parameters.path, **read.parameters.query, **read.parameters.header}
    body = loads(sample.request_body) if sample.request_body else None
    return {**loads(dumps(given)), **({} if body is None else {"requestBody": body})}


@pytest.mark.proves("O8")
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sampled_apis())
async def test_a_call_with_a_samples_values_sends_that_sample_again(samples: list[Sample]) -> None:
    generated = generate(Assignment(samples))
    document = as_object(load_document(generated.schema).root)
    names = {(each["method"], each["path"]): each["operationId"] for each in inspect(generated.schema, "")["actions"]}
    for sample, place in zip(samples, located(document, read_samples(samples)), strict=True):
        tool = harness(generated.schema)
        outcome = await tool.call(arguments(document, sample), name=names[sample.method, place.path])
        assert isinstance(outcome, Success), outcome
        assert (tool.sent.method, parts(tool.sent.url)) == (sample.method, parts(sample.url))
        assert loads(tool.sent.body or b"null") == loads(sample.request_body or "null")


def parts(url: str) -> tuple[str, str, str, list[tuple[str, str]]]:
    """A URL with its query decoded and in order."""
    split = urlsplit(url)
    query = sorted(parse_qsl(split.query, keep_blank_values=True))
    return split.scheme, split.netloc, unquote(split.path), query
