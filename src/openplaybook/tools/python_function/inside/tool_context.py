"""`context`, as the code of tools sees it."""

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import TypeVar, cast

_T = TypeVar("_T")

_MAY_BE_ABSENT = frozenset({"text", "transcript", "function_call", "function_response", "agent_transfer", "content"})


def _documented_as(name: str) -> Callable[[type[_T]], type[_T]]:
    """Give a class the name that CX Agent Studio documents, also in the messages that code gets of its methods."""

    def renamed(kind: type[_T]) -> type[_T]:
        kind.__name__ = kind.__qualname__ = name
        for member in vars(kind).values():
            if isinstance(member, FunctionType):
                member.__qualname__ = f"{name}.{member.__name__}"
        return kind

    return renamed


class ConversationRecord(dict[str, object]):
    """A piece of the conversation, read by item or by attribute."""

    def __getattr__(self, name: str) -> object:
        if name in self:
            return self[name]
        if name in _MAY_BE_ABSENT:
            return None
        raise AttributeError(f"there is no {name!r}; there are: {', '.join(self) or 'none'}", name=name)


@_documented_as("Tool")
class ReplacedTool(ConversationRecord):
    """The tool that a fake stands for: `name` and `description`."""


@_documented_as("ToolContext")
class CodeContext:
    """What a call knows of its conversation. `state` may be changed; all else is a copy."""

    def __init__(self, members: Mapping[str, object]) -> None:
        self.state = cast("dict[str, object]", members["state"])
        self.events = cast("list[ConversationRecord]", recorded(members["events"]))
        for name, value in members.items():
            if name not in ("state", "events"):
                setattr(self, name, recorded(value))

    @property
    def variables(self) -> dict[str, object]:
        """Another name of `state`."""
        return self.state

    @variables.setter
    def variables(self, value: dict[str, object]) -> None:
        self.state = value

    def get_variable(self, name: str, default: object = None) -> object:
        """The session variable, or the default."""
        return self.state.get(name, default)

    def set_variable(self, name: str, value: object) -> None:
        """Set a session variable."""
        self.state[name] = value

    def remove_variable(self, name: str) -> None:
        """Take a session variable away; KeyError where there is none."""
        del self.state[name]

    def parts(self) -> list[object]:
        """All that was said and called, oldest first."""
        return _parts(self.events)

    def get_last_user_input(self) -> list[object]:
        """What the user said last."""
        return _parts([event for event in self.events if event.get("author") == "user"][-1:])

    def get_last_agent_output(self) -> list[object]:
        """What an agent said or called last."""
        return _parts([event for event in self.events if event.get("author") != "user"][-1:])

    def get(self, name: str, default: object = None) -> object:
        """An attribute by its name, or the default."""
        return getattr(self, name, default)

    def __getitem__(self, name: str) -> object:
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class NoTools:
    """`tools` where nothing can be called."""

    def __getattr__(self, name: str) -> object:
        raise AttributeError(f"there is no tool {name!r}: none can be called here", name=name)


class NoNetwork(ModuleType):
    """`ces_requests`, which elsewhere reaches the network."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ConnectionError(
            f"{self.__name__}.{name}: code has no network here; describe the service in an OpenAPI toolset and call it "
            "as tools.TOOLSET_OPERATION({…})"
        )


def recorded(value: object) -> object:
    """JSON with its objects as records."""
    if isinstance(value, dict):
        return ConversationRecord({name: recorded(each) for name, each in cast("dict[str, object]", value).items()})
    if isinstance(value, list):
        return [recorded(each) for each in cast("list[object]", value)]
    return value


def _parts(events: Iterable[ConversationRecord]) -> list[object]:
    return [part for event in events for part in cast("dict[str, list[object]]", event["content"])["parts"]]
