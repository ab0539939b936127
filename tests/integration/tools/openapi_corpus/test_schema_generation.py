"""The examples of real documents, taken as samples: a schema is written that holds for every one of them."""

import random

import pytest

from openplaybook.drafting.errors import UnusableSample
from openplaybook.drafting.samples import MAX_SAMPLES, Sample, read_samples
from openplaybook.drafting.schema_generation import Assignment, generate
from openplaybook.jsonvalues import as_list, as_object, dumps, loads
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.example_samples import samples
from tests.kit.openapi_corpus import CORPUS, LEFT_OUT, Described, described
from tests.kit.sample_judge import judge
from tests.kit.thoroughness import sample

LARGEST = 400_000
"""Bytes of a document: smaller ones are enough to choose from."""


def readable(document: Described) -> list[Sample]:
    """At most fifty samples of a document; an example that is no URL or no exchange is no sample."""
    found: list[Sample] = []
    for each in samples(document.root()):
        sample = Sample(each["url"], each["method"], {}, each["requestBody"], each["responseBody"], each["status"])
        try:
            read_samples([sample])
        except UnusableSample:
            continue
        found.append(sample)
    return random.Random(document.id).sample(found, min(len(found), MAX_SAMPLES))


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
@pytest.mark.sweep
@pytest.mark.proves("O8")
@pytest.mark.filterwarnings("ignore:Use of allowEmptyValue:DeprecationWarning")
def test_the_schema_of_an_apis_examples_is_valid_and_holds_for_them() -> None:
    documents = [each for each in described() if each.size <= LARGEST and each.minor != "2.0"]
    documents = sample(documents, 5)
    sampled = {document.id: found for document in documents if (found := readable(document))}
    assert len(sampled) >= 5
    for id, seen in sampled.items():
        generated = generate(Assignment(seen))
        judge(as_object(loads(dumps(dict(load_document(generated.schema).root)))), seen)
        report = inspect(generated.schema, id)
        assert report["problems"] == []
        assert [each["problems"] for each in as_list(report["actions"])] == [[]] * len(report["actions"])
        assert generate(Assignment(seen, schema=generated.schema)).schema == generated.schema, id
