"""Data stores and files: a `dataStoreSpec` of Dialogflow CX; a `dataStoreTool`, a `fileSearchTool` of CX Agent Studio.

Each is one action, named like the tool, that answers from what it finds in stores.
"""

from collections.abc import Callable, Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.call_spellings import AS_GIVEN, SEARCH
from openplaybook.resources.tool_kinds import KindField, StoredKind, ToolMessage
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, InvalidTool, Problem, Tool
from openplaybook.tools.data_store.app_specs import read_app_tool, read_file_search
from openplaybook.tools.data_store.conversion import converted
from openplaybook.tools.data_store.data_store_tool import DataStoreTool
from openplaybook.tools.data_store.dialogflow_spec import ReadSpec, read_data_store_spec
from openplaybook.tools.data_store.tool_output import ANSWER, INPUT, OUTPUT, app_input, question_arguments
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_READERS: dict[str, Callable[[JsonObject], ReadSpec]] = {
    "dataStoreSpec": read_data_store_spec,
    "dataStoreTool": read_app_tool,
    "fileSearchTool": read_file_search,
}
_NOUNS = {"dataStoreSpec": "data store tool", "dataStoreTool": "data store tool", "fileSearchTool": "file search tool"}


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> DataStoreTool:
    """The tool for any of the three specifications (JSON form). Raises `InvalidTool`."""
    field = _field_of(resource)
    read = _READERS[field](spec)
    errors = [each for each in read.problems if each.is_error]
    if errors:
        raise InvalidTool(errors)
    display_name, is_app = str(resource.get("displayName", "")), field != "dataStoreSpec"
    output = ANSWER if is_app else OUTPUT
    action = Action(
        name=legal_name(display_name),
        action=display_name,
        tool=str(resource.get("name", "")),
        tool_display_name=display_name,
        description=str(resource.get("description", "")),
        input_schema=app_input(takes_filter=read.settings.takes_filter) if is_app else INPUT,
        declared_output=lambda: output,
        as_question=partial(question_arguments, is_wrapped=not is_app),
        is_read_only=True,
        safe_to_repeat=True,
    )
    return DataStoreTool(action, read.settings, parts.search, f"{_NOUNS[field]}s", is_app=is_app)


def _field_of(resource: JsonObject) -> str:
    """The member that holds the specification; Dialogflow's where a caller gives it without."""
    return next((field for field in _READERS if field in resource), "dataStoreSpec")


def _check(
    resource: JsonObject, spec: JsonObject, parts: Callable[[], ToolParts], built: Callable[[], Tool]
) -> Sequence[Problem]:
    """Errors, and what is odd about a tool that can be kept all the same."""
    built()
    return [each for each in _READERS[_field_of(resource)](spec).problems if not each.is_error]


async def _unknown_stores(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> Sequence[Problem]:
    """Stores that a tool names and this server does not have."""
    if parts.search is None:
        return ()
    field = _field_of(resource)
    names = dict.fromkeys(each.name for each in _READERS[field](spec).settings.stores if each.name)
    return [
        Problem(f"$.{field}", f"there is no data store {name} here: calls fail until there is", is_error=False)
        for name in names
        if await parts.search.directory.facts(name) is None
    ]


DATA_STORE = ToolKind(
    StoredKind(
        name="datastore",
        noun=_NOUNS["dataStoreSpec"],
        fields=(
            KindField("dataStoreSpec", ToolMessage.TOOL, "data store", form=SEARCH),
            KindField("dataStoreTool", ToolMessage.APP_TOOL, "data store", form=AS_GIVEN),
        ),
        telemetry_type="datastore",
        conversion=converted,
        asks_model=True,
    ),
    {"dataStoreSpec": build, "dataStoreTool": build},
    check=_check,
    lookup=_unknown_stores,
)

FILE_SEARCH = ToolKind(
    StoredKind(
        name="filesearch",
        noun=_NOUNS["fileSearchTool"],
        fields=(KindField("fileSearchTool", ToolMessage.APP_TOOL, "file search", form=AS_GIVEN),),
        telemetry_type="datastore",
        asks_model=True,
    ),
    {"fileSearchTool": build},
    check=_check,
    lookup=_unknown_stores,
)
