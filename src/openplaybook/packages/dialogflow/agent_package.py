"""An agent as one value: what a JSON package holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject


@dataclass(frozen=True, slots=True)
class PackagedPlaybook:
    """A playbook with its examples."""

    resource: JsonObject
    examples: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentPackage:
    """An agent and everything below it.

    Resources are JSON in the shape of the v3beta1 API: full resource names, RFC 3339 times, maps as objects.
    """

    agent: JsonObject
    """Its `name` is the agent's resource name; all names in the package are below it."""
    playbooks: tuple[PackagedPlaybook, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    generative_settings: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """By language code."""
    other_files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files of the package that are nothing of the above (flows, intents, test cases, …), by path, byte for byte."""
    private: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What resources of the export hold beyond the API (see `private`), by the resource's name below the agent:
    `agent`, `tools/ID`, `playbooks/ID`, `playbooks/ID/examples/ID`, `generativeSettings/LANGUAGE`."""
    read_from: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """The file that each was read from, by the same names; empty where no file was read."""
