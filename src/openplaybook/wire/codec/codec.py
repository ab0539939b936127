"""The codec of one pool."""

from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.codec.decode import Decoder
from openplaybook.wire.codec.encode import Encoder
from openplaybook.wire.messages import ApiMessage


class Codec:
    """Converts messages of a pool to JSON and back, both ways by tables made from their descriptors."""

    def __init__(self, pool: DescriptorPool) -> None:
        self._exact = Encoder(pool, exact=True)
        self._with_names = Encoder(pool)
        self._with_numbers = Encoder(pool, enums_as_ints=True)
        self._decoder = Decoder(pool)

    def to_json(self, message: ApiMessage) -> JsonObject:
        """The JSON object of a message: camelCase names, fields that are set, enums by name, numbers exactly as they
        were read.

        A message whose JSON form is not an object (a Timestamp, a Value) gives that form. Raises `JsonError` for what
        JSON cannot hold: a Value of NaN, an Any of a type that the API does not have."""
        return self._exact.write(message)

    def for_client(self, message: ApiMessage, *, enums_as_ints: bool = False) -> JsonObject:
        """The same for a client, which reads numbers as doubles: of one in a Struct that a double would change, the
        digits as a string. Enums are numbers where it asks for that."""
        return (self._with_numbers if enums_as_ints else self._with_names).write(message)

    def from_json(self, value: JsonValue, message: ApiMessage) -> ApiMessage:
        """Fills an empty message from a JSON value and returns it. Names may be camelCase or as in the proto; null
        leaves a field unset.

        Raises `JsonError` with the path of the first thing that does not fit: an unknown field, a wrong type, a second
        member of a oneof. The message is then half filled and of no use."""
        self._decoder.read(value, message)
        return message
