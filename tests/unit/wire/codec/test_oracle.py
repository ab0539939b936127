"""The codec against protobuf's json_format, on random messages of every type of the API."""

import itertools

import pytest
from google.protobuf import json_format

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.wire.api import Api
from openplaybook.wire.codec import parse_text
from openplaybook.wire.messages import ApiMessage
from tests.kit.random_messages import MessageMaker, all_types
from tests.kit.thoroughness import IS_WHOLE

pytestmark = pytest.mark.sweep

SHARDS, PER_TYPE = 4, 10 if IS_WHOLE else 2
AT_LEAST = 1_000 * PER_TYPE


def samples(api: Api, shard: int) -> list[ApiMessage]:
    maker = MessageMaker(api, seed=shard)
    types = itertools.islice(all_types(api), shard, None, SHARDS)
    return [maker.make(descriptor) for descriptor in types for _ in range(PER_TYPE)]


def test_the_samples_are_many_enough(api: Api) -> None:
    assert sum(1 for _ in all_types(api)) * PER_TYPE >= AT_LEAST


def as_json(api: Api, message: ApiMessage) -> JsonObject:
    return json_format.MessageToDict(message, descriptor_pool=api.pool)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_messages_become_the_json_that_json_format_gives_and_come_back(api: Api, shard: int) -> None:
    for message in samples(api, shard):
        expected = json_format.MessageToDict(message, descriptor_pool=api.pool)
        given = api.codec.to_json(message)
        assert given == expected, message.DESCRIPTOR.full_name
        assert api.codec.for_client(message) == expected, message.DESCRIPTOR.full_name

        read = api.codec.from_json(parse_text(dumps(given)), type(message)())
        assert read.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_enum_numbers_and_names_of_the_proto_are_read_as_json_format_reads_them(api: Api, shard: int) -> None:
    for message in samples(api, shard)[:: PER_TYPE // 2]:
        value = json_format.MessageToDict(
            message, preserving_proto_field_name=True, use_integers_for_enums=True, descriptor_pool=api.pool
        )
        expected = json_format.ParseDict(value, type(message)(), descriptor_pool=api.pool)
        read = api.codec.from_json(parse_text(dumps(value)), type(message)())
        sent = api.doors.read(type(message), read.SerializeToString())
        # As JSON: json_format packs the maps within an Any in any order.
        assert as_json(api, sent) == as_json(api, expected)
        assert api.codec.for_client(message, enums_as_ints=True) == json_format.MessageToDict(
            message, use_integers_for_enums=True, descriptor_pool=api.pool
        )
