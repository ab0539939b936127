"""An agent of Dialogflow CX as an app of CX Agent Studio."""

import re
from collections import Counter

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.ces.app_layout import safe_stem
from openplaybook.packages.ces.app_package import AppPackage
from openplaybook.packages.conversion.app_settings import (
    app_settings,
    declared_variables,
    generative_settings,
    model_settings,
)
from openplaybook.packages.conversion.example_converter import ExampleConverter
from openplaybook.packages.conversion.instruction_writer import InstructionWriter
from openplaybook.packages.conversion.tool_converter import APP, builtin_kind, convert_tools, function_name
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.errors import NotAPackage
from openplaybook.packages.reference_graph import AgentTree, plan
from openplaybook.packages.report import Notes, Report
from openplaybook.packages.unique_names import UniqueNames
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.playbook_instructions import find_references, place_instructions, walk_steps

_VARIABLE = re.compile(r"\{([A-Za-z_]\w*)\}")


def convert_agent(package: AgentPackage) -> tuple[AppPackage, Report]:
    """The app that does what the agent does, as far as CX Agent Studio can say it, and all that changes meaning.

    Raises `NotAPackage` for an agent without playbooks: flows are not converted.
    """
    if not package.playbooks:
        raise NotAPackage("", "the agent has no playbooks, and flows are not converted")
    return _Conversion(package).app()


class _Conversion:
    def __init__(self, package: AgentPackage) -> None:
        self._package = package
        self._notes = Notes()
        self._playbooks = {str(each.resource["name"]): each for each in package.playbooks}
        titles, ids = UniqueNames(), UniqueNames()
        self._titles = {name: titles.take(_title(each.resource)) for name, each in self._playbooks.items()}
        self._agents = {
            name: f"{APP}/agents/{ids.take(safe_stem(title) or 'agent')}" for name, title in self._titles.items()
        }
        self._by_reference = {name.rsplit("/", 1)[-1]: name for name in self._playbooks}
        self._by_reference |= {_title(each.resource): name for name, each in reversed(self._playbooks.items())}
        self._tools = convert_tools(package.tools, self._notes)
        self._tool_names = UniqueNames()
        for tool in (*self._tools.tools, *self._tools.toolsets):
            self._tool_names.take(str(tool["displayName"]))

    def app(self) -> tuple[AppPackage, Report]:
        """The app, and the report."""
        root = self._root()
        tree = plan(root, {name: self._referred(each) for name, each in self._playbooks.items()})
        for name in tree.unreached:
            self._notes.changed(self._place(name), "nothing leads to it from the root agent; nobody can reach it")
        calls = self._agent_tools(tree)
        called = {reference: self._titles[name] for reference, name in self._by_reference.items()}
        writer = InstructionWriter(self._tools.targets, self._tools.titles, called, self._notes)
        agents = [self._agent(name, each, tree, calls, writer) for name, each in self._playbooks.items()]
        app: JsonObject = {
            "name": APP,
            **app_settings(self._package.agent, self._notes),
            "rootAgent": self._agents[root],
        }
        language = str(self._package.agent.get("defaultLanguageCode", ""))
        model, guardrails = generative_settings(self._package.generative_settings, language, self._notes)
        if model:
            app["modelSettings"] = model
        variables = self._variables(agents)
        if variables:
            app["variableDeclarations"] = variables
        if guardrails:
            app["guardrails"] = [guardrail["name"] for guardrail in guardrails]
        examples = self._examples()
        self._note_others()
        converted = AppPackage(
            app,
            tuple(agents),
            tuple(self._tools.tools),
            tuple(self._tools.toolsets),
            tuple(examples),
            tuple(guardrails),
        )
        return converted, Report(tuple(dict.fromkeys(self._notes.report().notes)))

    def _root(self) -> str:
        start = str(self._package.agent.get("startPlaybook", ""))
        if start in self._playbooks:
            return start
        first = next(iter(self._playbooks))
        why = "the agent starts with a flow" if self._package.agent.get("startFlow") else "the agent names no start"
        self._notes.changed("agent.json", f"{why}; the root agent is {self._titles[first]!r}")
        return first

    def _referred(self, playbook: PackagedPlaybook) -> list[str]:
        """Playbooks that one names, in its steps and its list."""
        names = dict.fromkeys(str(name) for name in as_list(playbook.resource.get("referencedPlaybooks")))
        for step in walk_steps(place_instructions(playbook.resource)):
            for reference in find_references(step.text):
                if reference.kind is ReferenceKind.PLAYBOOK and reference.name in self._by_reference:
                    names[self._by_reference[reference.name]] = None
        return list(names)

    def _agent_tools(self, tree: AgentTree) -> dict[tuple[str, str], str]:
        """Tools for calls that the tree has no way for, by caller and called."""
        tool_names: dict[str, str] = {}
        for caller, called in tree.calls:
            title = self._titles[called]
            if called not in tool_names:
                name = self._tool_names.take(function_name(f"ask_{title}"))
                tool_names[called] = f"{APP}/tools/{name}"
                function = {"name": name, "description": str(self._playbooks[called].resource.get("goal", ""))}
                message: JsonObject = {**function, "agent": self._agents[called]}
                self._tools.tools.append({"name": tool_names[called], "displayName": name, "agentTool": message})
            self._notes.changed(self._place(caller), f"calls {title!r}, which is the child of another agent, as a tool")
        return {call: tool_names[call[1]] for call in tree.calls}

    def _agent(
        self,
        name: str,
        playbook: PackagedPlaybook,
        tree: AgentTree,
        calls: dict[tuple[str, str], str],
        writer: InstructionWriter,
    ) -> JsonObject:
        resource, place = playbook.resource, self._place(name)
        instruction = writer.instruction(resource, place)
        parent = tree.parents.get(name)
        if parent is not None and resource.get("playbookType") != "ROUTINE":
            title = self._titles[parent]
            instruction += f"\n\nWhen all of this is done, hand over to {{@AGENT: {title}}}."
            self._notes.changed(
                place, f"gave its result back to {title!r}; now it is handed the conversation, and hands it back"
            )
        agent: JsonObject = {
            "name": self._agents[name],
            "displayName": self._titles[name],
            "instruction": instruction,
            **self._tools_of(playbook, [tool for (caller, _), tool in calls.items() if caller == name]),
        }
        if resource.get("goal"):
            agent["description"] = resource["goal"]
        if tree.children.get(name):
            agent["childAgents"] = [self._agents[child] for child in tree.children[name]]
        model = model_settings(as_object(resource.get("llmModelSettings")), place, self._notes)
        if model:
            agent["modelSettings"] = model
        self._note_playbook(resource, place)
        return agent

    def _tools_of(self, playbook: PackagedPlaybook, calls: list[str]) -> JsonObject:
        """The tools that a playbook has, by its list and by its steps, and those that end and call."""
        named = dict.fromkeys(str(name) for name in as_list(playbook.resource.get("referencedTools")))
        for step in walk_steps(place_instructions(playbook.resource)):
            for reference in find_references(step.text):
                if reference.kind is ReferenceKind.TOOL and reference.name in self._tools.titles:
                    named[self._tools.titles[reference.name]] = None
        tools, toolsets = list[str](), list[JsonObject]()
        for name in named:
            target = self._tools.targets.get(name)
            if target is None:
                kind = builtin_kind(name)
                what = f"the {kind.noun}" if kind else f"the tool {name.rsplit('/', 1)[-1]}"
                self._notes.left_out(self._place(str(playbook.resource["name"])), f"{what} is not part of an app")
            elif target.toolset:
                toolsets.append({"toolset": target.names[0]})
            else:
                tools += target.names
        return {"tools": [*tools, *calls, "end_session"], **({"toolsets": toolsets} if toolsets else {})}

    def _variables(self, agents: list[JsonObject]) -> list[JsonObject]:
        playbooks = [playbook.resource for playbook in self._package.playbooks]
        read = [name for agent in agents for name in _VARIABLE.findall(str(agent["instruction"]))]
        return declared_variables(playbooks, [*self._tools.variables, *read], self._notes)

    def _examples(self) -> list[JsonObject]:
        converter = ExampleConverter(self._tools.targets, self._agents, self._notes)
        names = UniqueNames()
        return [
            converter.convert(
                example,
                name,
                names.take(safe_stem(f"{self._titles[name]}_{_title(example)}") or "example"),
                f"{self._place(name)}/examples/{_title(example)}",
            )
            for name, playbook in self._playbooks.items()
            for example in playbook.examples
        ]

    def _note_playbook(self, resource: JsonObject, place: str) -> None:
        for key, what in (
            ("handlers", "its handlers"),
            ("codeBlock", "its code block"),
            ("speechSettings", "its speech settings"),
            ("referencedFlows", "the flows that it calls"),
        ):
            if resource.get(key):
                self._notes.left_out(place, f"{what} ({key})")
        if resource.get("outputParameterDefinitions"):
            self._notes.changed(place, "its output parameters are variables of the whole app")

    def _note_others(self) -> None:
        for top, count in Counter(path.split("/", 1)[0] for path in self._package.other_files).items():
            self._notes.left_out(top, "1 file" if count == 1 else f"{count} files", count)

    def _place(self, name: str) -> str:
        return f"playbooks/{self._titles[name]}"


def _title(resource: JsonObject) -> str:
    return str(resource.get("displayName", "")).strip()
