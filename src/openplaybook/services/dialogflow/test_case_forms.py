"""The two forms of a test case: the API's message, and the file in its agent's package, which may hold more."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.private_fields import fields_in, merge_private, split_private
from openplaybook.resources.field_behavior import check_required
from openplaybook.resources.names import TEST_CASES, ResourceName, new_id
from openplaybook.services.dialogflow.test_case_files import StoredTestCase, with_usual_times
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CX
from openplaybook.wire.codec import JsonError
from openplaybook.wire.messages import ApiMessage

_LONGEST_NAME = 200
_OPTIONAL = frozenset({"test_case_conversation_turns.virtual_agent_output.diagnostic_info"})
"""Google's console has it; exports do not."""
_MESSAGE = CX + "TestCase"


class TestCaseForms:
    """Turns either into the other."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._fields = fields_in(parts.api.pool)

    def message(self, name: ResourceName, case: StoredTestCase) -> ApiMessage:
        """A test case as the API has it; FAILED_PRECONDITION where its file is none."""
        known, _ = split_private(case.content, _MESSAGE, self._fields)
        known.pop("lastTestResult", None)
        try:
            if case.problem:
                raise JsonError(case.problem)
            message = self._parts.api.codec.from_json(known, self._parts.cx("TestCase"))
        except JsonError as error:
            raise precondition("UNREADABLE_TEST_CASE", f"{case.path} is no test case: {error}") from error
        message.name = str(name)
        message.display_name = case.display_name
        return message

    def content(self, message: ApiMessage, before: JsonObject) -> JsonObject:
        """The file of a test case: with what the API does not know, where it was there."""
        _, private = split_private(before, _MESSAGE, self._fields)
        content = self._parts.api.codec.to_json(message)
        return merge_private({**content, "name": TEST_CASES.parse(message.name).id}, private)

    def imported(self, agent: str, value: JsonValue) -> tuple[ApiMessage, JsonObject]:
        """A test case of an export as a new one of an agent, and its file. Raises `JsonError` for what is none."""
        if not isinstance(value, dict):
            raise JsonError("must be the object of a test case")
        case = with_usual_times(as_object(value))
        known, _ = split_private(case, _MESSAGE, self._fields)
        for own in ("lastTestResult", "name", "creationTime"):
            known.pop(own, None)
        message = self._parts.api.codec.from_json(known, self._parts.cx("TestCase"))
        message.name = str(TEST_CASES.child(agent, new_id()))
        message.creation_time.FromMicroseconds(self._parts.now_us())
        return message, self.content(message, case)

    def check(self, case: ApiMessage, stored: ApiMessage | None = None) -> None:
        """Refuse a test case that lacks what is required, or has too long a name. INVALID_ARGUMENT, `MissingFields`."""
        check_required(case, stored, prefix="test_case.", except_for=_OPTIONAL)
        if len(case.display_name) > _LONGEST_NAME:
            raise invalid(("test_case.display_name", f"has at most {_LONGEST_NAME} characters"))
