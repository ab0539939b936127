"""A built-in code interpreter that runs no code: it gives files that its test prepared, as the real one would."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Action, Call, Failure, Outcome, StoredFile, Success, ToolContext
from tests.kit.agents import AGENT, AgentDraft, RememberedTool

INTERPRETER = f"{AGENT}/tools/df-code-interpreter-tool"
INPUT, OUTPUT = "generate_and_execute input", "generate_and_execute output"

NOTHING: JsonObject = {"name": "", "contents": ""}
"""What documented outputs without any file hold."""


@dataclass
class PlayedInterpreter(RememberedTool):
    """Gives a result of 8 and the files of `gives`, by name; remembers the files that the conversation had."""

    gives: dict[str, bytes] = field(default_factory=dict[str, bytes])
    had: list[Sequence[StoredFile]] = field(default_factory=list[Sequence[StoredFile]])

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """The documented output, with handles for contents."""
        await super().invoke(call, context)
        assert context.files is not None
        self.had.append(await context.files.newest(1_000_000_000))
        files = [await context.files.put(name, "", data) for name, data in self.gives.items()]
        told: list[JsonObject] = [{"name": file.name, "contents": file.handle} for file in files]
        ran: JsonObject = {"generated_code": "print(4 + 4)", "execution_result": "8", "execution_error": ""}
        return Success({OUTPUT: {**ran, "output_files": told or [NOTHING]}})

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As documented."""
        return {INPUT: call.arguments["query"]}


def add_interpreter(draft: AgentDraft, **gives: bytes) -> PlayedInterpreter:
    """Let the agent's built-in interpreter be one that gives these files: `chart_png` is `chart.png`."""
    properties: JsonObject = {"query": {"type": "string"}}
    action = Action(
        name="generate_and_execute",
        action="generate_and_execute",
        tool=INTERPRETER,
        tool_display_name="code-interpreter",
        description="Runs code.",
        input_schema={"type": "object", "properties": properties, "required": ["query"]},
        safe_to_repeat=True,
    )
    files = {name.replace("_", "."): data for name, data in gives.items()}
    tool = PlayedInterpreter([action], lambda call, context: Success({}), gives=files)
    draft.shelf.tools["code-interpreter"] = tool
    return tool
