"""Goal and steps of a playbook as the instruction of an agent."""

import re
from collections.abc import Mapping, Set

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.conversion.tool_converter import ToolTarget, builtin_kind
from openplaybook.packages.report import Notes
from openplaybook.resources.ces.app_variables import variable_name
from openplaybook.resources.compiled_forms import Reference, ReferenceKind
from openplaybook.resources.playbook_instructions import PlacedStep, find_references, place_instructions

_PARAMETER = re.compile(r"\$(session\.params\.)?([A-Za-z_](?:[\w-]*\w)?)")
_MOST_OPERATIONS = 5
"""Operations of a toolset that are named where an instruction names the tool; of more, only the toolset is."""


class InstructionWriter:
    """Writes instructions of one agent's playbooks."""

    def __init__(
        self,
        tools: Mapping[str, ToolTarget],
        tool_titles: Mapping[str, str],
        agents: Mapping[str, str],
        notes: Notes,
    ) -> None:
        """`tools`: by resource name; `tool_titles`: those by what instructions call them; `agents`: display names of
        agents by what instructions call their playbooks."""
        self._tools = tools
        self._tool_titles = tool_titles
        self._agents = agents
        self._notes = notes

    def instruction(self, playbook: JsonObject, place: str) -> str:
        """The text: the goal, then the steps as a nested list, references and parameters in the other words."""
        inputs = {str(as_object(each).get("name")) for each in as_list(playbook.get("inputParameterDefinitions"))}
        goal = self._text(str(playbook.get("goal", "")), place, inputs).strip()
        steps = "\n".join(self._list(place_instructions(playbook), place, inputs, ""))
        return "\n\n".join(part for part in (goal, steps) if part)

    def _list(self, steps: tuple[PlacedStep, ...], place: str, inputs: Set[str], indent: str) -> list[str]:
        lines: list[str] = []
        for step in steps:
            first, *others = self._text(step.text, place, inputs).split("\n")
            lines.append(f"{indent}- {first}")
            lines += [f"{indent}  {line}" if line else line for line in others]
            lines += self._list(step.steps, place, inputs, f"{indent}  ")
        return lines

    def _text(self, text: str, place: str, inputs: Set[str]) -> str:
        parts: list[str] = []
        end = 0
        for reference in find_references(text):
            parts += [text[end : reference.start], self._reference(reference, place)]
            end = reference.end
        return _PARAMETER.sub(lambda match: _variable(match, inputs), "".join([*parts, text[end:]]))

    def _reference(self, reference: Reference, place: str) -> str:
        name = reference.name
        if reference.kind is ReferenceKind.PLAYBOOK:
            known = self._agents.get(name)
            return f"{{@AGENT: {known}}}" if known else self._lost(f"the playbook {name!r}", name, place)
        if reference.kind is ReferenceKind.FLOW:
            return self._lost(f"the flow {name!r}", name, place)
        target = self._tools.get(self._tool_titles.get(name, ""))
        if target is None:
            what = f"the built-in tool {name!r}" if builtin_kind(name) else f"the tool {name!r}"
            return self._lost(what, name, place)
        if not target.called or (target.toolset and len(target.called) > _MOST_OPERATIONS):
            self._notes.changed(
                place, f"names the tool {name!r} as plain text: its operations are tools of their own now"
            )
            return name
        called = [f"{{@TOOL: {each}}}" for each in target.called]
        return called[0] if len(called) == 1 else f"{name} ({' or '.join(called)})"

    def _lost(self, what: str, name: str, place: str) -> str:
        self._notes.left_out(place, f"{what} is not part of the app; the instruction has its name as plain text")
        return name


def _variable(match: re.Match[str], inputs: Set[str]) -> str:
    """A parameter of the session, or an input of the playbook, as a variable. All other `$name` are text: what is yet
    to be found out has no value that could stand there."""
    return f"{{{variable_name(match[2])}}}" if match[1] or match[2] in inputs else match[0]
