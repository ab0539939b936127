"""`PlaceholderTool`: declares what it can, and refuses every call with a sentence."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.digits import with_numbers
from openplaybook.tools.base import Action, Call, Failure, Outcome, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.schema.validator import Validator

CLIENT_INSTEAD = "with client-side execution the client can answer it"
FAKE_INSTEAD = "a fake (toolFakeConfig) can answer in its place"


class PlaceholderTool(Tool):
    """A tool of a kind that this server does not run yet."""

    def __init__(self, kind: str, actions: Sequence[Action], instead: str = CLIENT_INSTEAD) -> None:
        """`kind` is the name of the tool kind in a sentence, such as `data store tools`; `instead`: what else can
        answer its calls."""
        self._kind = kind
        self._actions = tuple(actions)
        self._instead = instead

    def actions(self) -> Sequence[Action]:
        """What is known of its actions without running it."""
        return self._actions

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Refused with UNIMPLEMENTED."""
        return Failure(
            "UNIMPLEMENTED",
            f"{self._kind} are not supported by this server yet, so {call.action.action} was not called; "
            f"{self._instead}",
        )

    def fault(self) -> str:
        """That its kind is not run."""
        return f"{self._kind} are not run"

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them, where they fit the action."""
        arguments = as_object(with_numbers(call.arguments, call.action.input_schema))
        if problems := await Validator(call.action.input_schema).judge(arguments):
            return Failure("INVALID_ARGUMENTS", "; ".join(problems))
        return arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with the client's answer, where its form is known."""
        return await result_problems(action.output_schema, output)
