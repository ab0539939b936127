"""The codec against json_format on many more messages than the suite has time for."""

import pytest
from google.protobuf import json_format

from openplaybook.jsonvalues import dumps
from openplaybook.wire.api import load_api
from openplaybook.wire.codec import parse_text
from tests.kit.random_messages import MessageMaker, all_types

SEEDS = 200


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_random_messages_are_read_and_written_as_json_format_does() -> None:
    api = load_api()
    count = 0
    for seed in range(SEEDS):
        maker = MessageMaker(api, seed=1000 + seed)
        for descriptor in all_types(api):
            message = maker.make(descriptor)
            given = api.codec.to_json(message)
            assert given == json_format.MessageToDict(message, descriptor_pool=api.pool), descriptor.full_name
            read = api.codec.from_json(parse_text(dumps(given)), type(message)())
            assert read.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)
            count += 1
    print(f"\n{count} messages of {count // SEEDS} types: no difference")
