"""Examples of playbooks as examples of an app."""

from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.conversion.tool_converter import APP, ToolTarget
from openplaybook.packages.report import Notes
from openplaybook.resources.ces.app_variables import variable_name


class ExampleConverter:
    """Converts examples of one agent's playbooks."""

    def __init__(self, tools: Mapping[str, ToolTarget], agents: Mapping[str, str], notes: Notes) -> None:
        """`agents`: resource names of agents by those of their playbooks; `tools`: what tools have become."""
        self._tools = tools
        self._agents = agents
        self._notes = notes

    def convert(self, example: JsonObject, playbook: str, name: str, place: str) -> JsonObject:
        """The example under a new name (an id)."""
        messages = _Messages(str(self._agents[playbook].rsplit("/", 1)[-1]))
        inputs = as_object(as_object(example.get("playbookInput")).get("actionParameters"))
        if inputs:
            messages.add("user", {"updatedVariables": _variables(inputs)})
        for number, action in enumerate(as_list(example.get("actions"))):
            self._action(as_object(action), number, messages, place)
        outputs = as_object(as_object(example.get("playbookOutput")).get("actionParameters"))
        if outputs:
            messages.add(messages.agent, {"updatedVariables": _variables(outputs)})
        if example.get("conversationState") == "OUTPUT_STATE_ESCALATED":
            arguments: JsonObject = {"reason": "escalated", "session_escalated": True}
            messages.add(messages.agent, {"toolCall": {"tool": "end_session", "id": "end", "args": arguments}})
        converted: JsonObject = {
            "name": f"{APP}/examples/{name}",
            "displayName": str(example.get("displayName", "")),
            "entryAgent": self._agents[playbook],
            "messages": messages.messages,
        }
        return {**converted, "description": example["description"]} if example.get("description") else converted

    def _action(self, action: JsonObject, number: int, messages: "_Messages", place: str) -> None:
        if "userUtterance" in action:
            messages.add("user", {"text": str(as_object(action["userUtterance"]).get("text", ""))})
        elif "agentUtterance" in action:
            messages.add(messages.agent, {"text": str(as_object(action["agentUtterance"]).get("text", ""))})
        elif "toolUse" in action:
            self._tool_use(as_object(action["toolUse"]), f"call-{number + 1}", messages, place)
        elif "playbookInvocation" in action or "playbookTransition" in action:
            self._transfer(
                as_object(action.get("playbookInvocation") or action.get("playbookTransition")), messages, place
            )
        else:
            kind = next(iter(action), "nothing")
            self._notes.left_out(place, f"an action that examples of an app do not have: {kind}")

    def _tool_use(self, use: JsonObject, call_id: str, messages: "_Messages", place: str) -> None:
        target = self._tools.get(str(use.get("tool", "")))
        if target is None or not target.names:
            self._notes.left_out(place, f"a call of {use.get('tool')!r}, which is not a tool of the app")
            return
        operation = str(use.get("action", ""))
        which: JsonObject = (
            {"toolsetTool": {"toolset": target.names[0], "toolId": operation}}
            if target.toolset
            else {"tool": target.names[0]}
        )
        arguments, output = as_object(use.get("inputActionParameters")), as_object(use.get("outputActionParameters"))
        messages.add(messages.agent, {"toolCall": {**which, "id": call_id, "args": arguments}})
        messages.add("user", {"toolResponse": {**which, "id": call_id, "response": output}})

    def _transfer(self, invocation: JsonObject, messages: "_Messages", place: str) -> None:
        agent = self._agents.get(str(invocation.get("playbook", "")))
        if agent is None:
            self._notes.left_out(place, f"a call of {invocation.get('playbook')!r}, which is not an agent of the app")
            return
        if as_object(invocation.get("playbookOutput")).get("actionParameters"):
            self._notes.changed(
                place, "what a called playbook gave back is not shown: the conversation goes with the call"
            )
        messages.add(messages.agent, {"agentTransfer": {"targetAgent": agent}})


def _variables(parameters: JsonObject) -> JsonObject:
    return {variable_name(name): value for name, value in parameters.items()}


class _Messages:
    """The messages of an example: what one side says in a row is one message."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.messages: list[JsonObject] = []

    def add(self, role: str, chunk: JsonObject) -> None:
        """Add what a side says or does."""
        if self.messages and self.messages[-1]["role"] == role:
            self.messages[-1]["chunks"].append(chunk)
        else:
            self.messages.append({"role": role, "chunks": [chunk]})
