"""Our extension fields, as data: what Google's documents and exports have and its published protos lack.

Every entry is added to both versions of its API alike. Field numbers start at 100000, far from any that Google
assigns. Key names are those of Google's documents and agent exports, so requests written after them and imported
packages keep their meaning. Kinds that exports know only as words (`groundingConfidence`, `mode`) are strings: an enum
would lose a word it does not list."""

from dataclasses import dataclass

STRUCT = "google.protobuf.Struct"
VALUE = "google.protobuf.Value"


@dataclass(frozen=True, slots=True)
class ExtraField:
    """One field."""

    message: str
    """Path of the message that gets it, within the package."""
    name: str
    number: int
    kind: str
    """`string`, `bool`, `int32`, `float`; or a message or enum, as a path within the package or under `google`."""
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ExtraEnum:
    """One enum, nested in a message; values are numbered from 0."""

    message: str
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtraMessage:
    """One message, nested in another; its fields are entries of their own."""

    message: str
    name: str


_DATA_STORE = "Tool.DataStoreTool"
_AUTHENTICATION = "Tool.Authentication"
_OPEN_API = "Tool.OpenApiTool"
_SETTINGS = f"{_OPEN_API}.Settings"
_DURATION = "google.protobuf.Duration"
_COVERAGE_OF = "CalculateCoverageResponse"
_COVERAGE = f"{_COVERAGE_OF}.PlaybookCoverage"

# The last is ours: it lets one request do without what its agent asks for.
_EXECUTION_MODES = ("PLAYBOOK_EXECUTION_MODE_UNSPECIFIED", "ALWAYS_CLIENT_EXECUTION", "DEFAULT_EXECUTION")
_VALIDATIONS = ("TOOL_RESULT_VALIDATION_UNSPECIFIED", "REMARK", "STRICT")

TYPES: tuple[ExtraEnum | ExtraMessage, ...] = (
    # The documentation of function tools names this switch and this one value.
    ExtraMessage("QueryParameters", "PlaybookStateOverride"),
    ExtraEnum(
        "QueryParameters.PlaybookStateOverride",
        "PlaybookExecutionMode",
        _EXECUTION_MODES,
    ),
    # Documented answers carry `"source": "VIRTUAL_AGENT"`.
    ExtraEnum("ResponseMessage", "Source", ("SOURCE_UNSPECIFIED", "VIRTUAL_AGENT")),
    # Exported examples list parameters by name beside, or instead of, the struct.
    ExtraMessage("ToolUse", "NamedValue"),
    ExtraEnum("Example", "RetrievalStrategy", ("RETRIEVAL_STRATEGY_UNSPECIFIED", "DEFAULT", "STATIC", "NEVER")),
    # Whether text may end a pause for a function tool; Dialogflow CX refuses it.
    ExtraEnum("Agent", "PausedInput", ("PAUSED_INPUT_UNSPECIFIED", "CANCEL", "REFUSE")),
    ExtraEnum("GenerativeSettings", "PausedInput", ("PAUSED_INPUT_UNSPECIFIED", "CANCEL", "REFUSE")),
    # Whether a client's result that does not fit its output schema is taken and remarked, or refused.
    ExtraEnum("Agent", "ToolResultValidation", _VALIDATIONS),
    ExtraEnum("GenerativeSettings", "ToolResultValidation", _VALIDATIONS),
    # Whether clients make the calls of an agent's tools where no request says so.
    ExtraEnum("Agent", "PlaybookExecutionMode", _EXECUTION_MODES),
    ExtraEnum("GenerativeSettings", "PlaybookExecutionMode", _EXECUTION_MODES),
    # Settings of the console's data store page, under their export names.
    ExtraMessage(_DATA_STORE, "Models"),
    ExtraMessage(f"{_DATA_STORE}.Models", "ModelPrompt"),
    # HTTP basic, and a credential for each security scheme of a description that asks for several.
    ExtraMessage(_AUTHENTICATION, "BasicAuthConfig"),
    ExtraMessage(_OPEN_API, "SecuritySchemeAuthentication"),
    # How an OpenAPI tool behaves beyond what its description says.
    ExtraMessage(_OPEN_API, "Settings"),
    ExtraMessage(_SETTINGS, "OperationSelection"),
    ExtraMessage(_SETTINGS, "ResponseFields"),
    ExtraMessage(_SETTINGS, "Document"),
    ExtraMessage(_DATA_STORE, "GroundingSettings"),
    ExtraMessage(_DATA_STORE, "PayloadSettings"),
    # What test cases cover of an agent of playbooks: Google's kinds of coverage are about flows alone.
    ExtraMessage(_COVERAGE_OF, "PlaybookCoverage"),
    ExtraMessage(_COVERAGE, "Part"),
)

FIELDS = (
    # Where a handler goes, under the names that handlers of flows have for it.
    *(
        ExtraField(f"Handler.{handler}", name, 100000 + place, "string")
        for handler in ("LifecycleHandler", "EventHandler")
        for place, name in enumerate(("target_playbook", "target_flow", "target_page"))
    ),
    # As tools have it: Google's console asks before a playbook goes that others use.
    ExtraField("DeletePlaybookRequest", "force", 100000, "bool"),
    # Google removes all that is in an agent; who brings one up to its folder keeps its versions.
    ExtraField("RestoreAgentRequest", "keep_versions", 100000, "bool"),
    ExtraField("QueryParameters", "playbook_state_override", 100000, "QueryParameters.PlaybookStateOverride"),
    ExtraField(
        "QueryParameters.PlaybookStateOverride",
        "playbook_execution_mode",
        100000,
        "QueryParameters.PlaybookStateOverride.PlaybookExecutionMode",
    ),
    ExtraField("ResponseMessage", "source", 100000, "ResponseMessage.Source"),
    # Who says the words of a partial response, and which of the turn's replies they are a piece of.
    ExtraField("ResponseMessage", "playbook", 100001, "string"),
    ExtraField("ResponseMessage", "playbook_display_name", 100002, "string"),
    ExtraField("ResponseMessage", "reply_index", 100003, "int32"),
    ExtraField("ToolCall", "id", 100000, "string"),
    ExtraField("ToolCallResult", "id", 100000, "string"),
    ExtraField("ToolUse.NamedValue", "name", 100000, "string"),
    ExtraField("ToolUse.NamedValue", "value", 100001, VALUE),
    ExtraField("ToolUse", "input_parameters", 100000, "ToolUse.NamedValue", repeated=True),
    ExtraField("ToolUse", "output_parameters", 100001, "ToolUse.NamedValue", repeated=True),
    ExtraField("Example", "retrieval_strategy", 100000, "Example.RetrievalStrategy"),
    ExtraField("Agent", "paused_input", 100000, "Agent.PausedInput"),
    ExtraField("GenerativeSettings", "paused_input", 100000, "GenerativeSettings.PausedInput"),
    ExtraField("Agent", "playbook_execution_mode", 100001, "Agent.PlaybookExecutionMode"),
    ExtraField("Agent", "tool_result_validation", 100002, "Agent.ToolResultValidation"),
    ExtraField("Agent", "tool_call_result_timeout", 100003, _DURATION),
    ExtraField("GenerativeSettings", "playbook_execution_mode", 100001, "GenerativeSettings.PlaybookExecutionMode"),
    ExtraField("GenerativeSettings", "tool_result_validation", 100002, "GenerativeSettings.ToolResultValidation"),
    ExtraField("GenerativeSettings", "tool_call_result_timeout", 100003, _DURATION),
    # The place beside Dialogflow's two: a cookie called `keyName`.
    ExtraField(f"{_AUTHENTICATION}.ApiKeyConfig", "in_cookie", 100000, "bool"),
    ExtraField(f"{_AUTHENTICATION}.BasicAuthConfig", "username", 100000, "string"),
    ExtraField(f"{_AUTHENTICATION}.BasicAuthConfig", "password", 100001, "string"),
    ExtraField(f"{_AUTHENTICATION}.BasicAuthConfig", "secret_version_for_password", 100002, "string"),
    ExtraField(_AUTHENTICATION, "basic_auth_config", 100000, f"{_AUTHENTICATION}.BasicAuthConfig"),
    ExtraField(f"{_OPEN_API}.SecuritySchemeAuthentication", "scheme", 100000, "string"),
    ExtraField(f"{_OPEN_API}.SecuritySchemeAuthentication", "authentication", 100001, _AUTHENTICATION),
    ExtraField(_OPEN_API, "ignore_unknown_fields", 100000, "bool"),
    ExtraField(
        _OPEN_API,
        "security_scheme_authentications",
        100001,
        f"{_OPEN_API}.SecuritySchemeAuthentication",
        repeated=True,
    ),
    ExtraField(_OPEN_API, "settings", 100002, _SETTINGS),
    ExtraField(_SETTINGS, "operation_selection", 100000, f"{_SETTINGS}.OperationSelection"),
    ExtraField(_SETTINGS, "response_fields", 100001, f"{_SETTINGS}.ResponseFields", repeated=True),
    ExtraField(_SETTINGS, "documents", 100002, f"{_SETTINGS}.Document", repeated=True),
    ExtraField(_SETTINGS, "document_uri", 100003, "string"),
    ExtraField(_SETTINGS, "server_url", 100004, "string"),
    ExtraField(_SETTINGS, "server_variables", 100005, STRUCT),
    ExtraField(_SETTINGS, "idempotency_key_header", 100006, "string"),
    ExtraField(_SETTINGS, "connect_timeout", 100007, _DURATION),
    ExtraField(_SETTINGS, "read_timeout", 100008, _DURATION),
    ExtraField(_SETTINGS, "total_timeout", 100009, _DURATION),
    ExtraField(_SETTINGS, "max_concurrent_requests", 100010, "int32"),
    ExtraField(f"{_SETTINGS}.OperationSelection", "operation_ids", 100000, "string", repeated=True),
    ExtraField(f"{_SETTINGS}.OperationSelection", "tags", 100001, "string", repeated=True),
    ExtraField(f"{_SETTINGS}.OperationSelection", "path_prefixes", 100002, "string", repeated=True),
    ExtraField(f"{_SETTINGS}.OperationSelection", "search", 100003, "string"),
    ExtraField(f"{_SETTINGS}.OperationSelection", "max_operations", 100004, "int32"),
    ExtraField(f"{_SETTINGS}.ResponseFields", "operation_id", 100000, "string"),
    ExtraField(f"{_SETTINGS}.ResponseFields", "fields", 100001, "string", repeated=True),
    ExtraField(f"{_SETTINGS}.Document", "uri", 100000, "string"),
    ExtraField(f"{_SETTINGS}.Document", "text", 100001, "string"),
    ExtraField(f"{_DATA_STORE}.FallbackPrompt", "company", 100000, "string"),
    ExtraField(_DATA_STORE, "models", 100000, f"{_DATA_STORE}.Models"),
    ExtraField(_DATA_STORE, "grounding_settings", 100001, f"{_DATA_STORE}.GroundingSettings"),
    ExtraField(_DATA_STORE, "payload_settings", 100002, f"{_DATA_STORE}.PayloadSettings"),
    ExtraField(_DATA_STORE, "mode", 100003, "string"),
    ExtraField(_DATA_STORE, "voice_mode_settings", 100004, STRUCT),
    ExtraField(f"{_DATA_STORE}.Models", "rewriter_model", 100000, f"{_DATA_STORE}.Models.ModelPrompt"),
    ExtraField(f"{_DATA_STORE}.Models", "summarization_model", 100001, f"{_DATA_STORE}.Models.ModelPrompt"),
    ExtraField(f"{_DATA_STORE}.Models.ModelPrompt", "model", 100000, "string"),
    ExtraField(f"{_DATA_STORE}.Models.ModelPrompt", "prompt_text", 100001, "string"),
    ExtraField(f"{_DATA_STORE}.GroundingSettings", "grounding_confidence", 100000, "string"),
    ExtraField(f"{_DATA_STORE}.GroundingSettings", "disabled", 100001, "bool"),
    ExtraField(f"{_DATA_STORE}.GroundingSettings", "heuristics_disabled", 100002, "bool"),
    # Ours: the model that judges claims, `model_default` for the playbook's; without it words are compared.
    ExtraField(f"{_DATA_STORE}.GroundingSettings", "judge_model", 100003, "string"),
    ExtraField(f"{_DATA_STORE}.PayloadSettings", "enable_snippets_payload", 100000, "bool"),
    # Exported test cases say which tools and playbooks have to be used, and what a simulated user wants.
    ExtraField("TestCase", "expected_test_case_result", 100000, STRUCT),
    ExtraField("TestCase", "language_code", 100001, "string"),
    ExtraField("TestConfig", "use_case_description", 100000, "string"),
    ExtraField(f"{_DATA_STORE}.PayloadSettings", "max_snippets_count", 100001, "int32"),
    ExtraField(_COVERAGE_OF, "playbook_coverage", 100000, _COVERAGE),
    ExtraField(_COVERAGE, "playbooks", 100000, f"{_COVERAGE}.Part", repeated=True),
    ExtraField(_COVERAGE, "tools", 100001, f"{_COVERAGE}.Part", repeated=True),
    ExtraField(_COVERAGE, "coverage_score", 100002, "float"),
    ExtraField(f"{_COVERAGE}.Part", "name", 100000, "string"),
    ExtraField(f"{_COVERAGE}.Part", "display_name", 100001, "string"),
    ExtraField(f"{_COVERAGE}.Part", "covered", 100002, "bool"),
    ExtraField(f"{_COVERAGE}.Part", "test_cases", 100003, "string", repeated=True),
    ExtraField(f"{_COVERAGE}.Part", "actions", 100004, "string", repeated=True),
)

_END_USER = "EndUserAuthConfig"
_USER_PASSWORD = "UserPasswordConfig"


def _user_and_password(message: str) -> tuple[ExtraField, ...]:
    """What connectors to systems with users and passwords take from a session, as Google's members do for OAuth."""
    return (
        ExtraField(f"{message}.{_USER_PASSWORD}", "username", 100000, "string"),
        ExtraField(f"{message}.{_USER_PASSWORD}", "password", 100001, "string"),
        ExtraField(message, "user_password_config", 100000, f"{message}.{_USER_PASSWORD}"),
    )


BETA_TYPES: tuple[ExtraMessage, ...] = (ExtraMessage(f"Tool.{_END_USER}", _USER_PASSWORD),)

BETA_FIELDS = _user_and_password(f"Tool.{_END_USER}")
"""Types and fields of what Dialogflow CX has in v3beta1 alone."""

CES_TYPES: tuple[ExtraMessage, ...] = (ExtraMessage(_END_USER, _USER_PASSWORD),)

CES_FIELDS = (
    *_user_and_password(_END_USER),
    # What an import has to tell: one entry for each note, as the operations of Dialogflow CX have them in their Struct.
    ExtraField("OperationMetadata", "notes", 100000, STRUCT, repeated=True),
    # Likewise what comes of each agent of the app.
    ExtraField("OperationMetadata", "playbooks", 100001, STRUCT, repeated=True),
    # Who says the words of a streamed output, which of the turn's replies they are a piece of, and its end.
    ExtraField("SessionOutput", "agent", 100000, "string"),
    ExtraField("SessionOutput", "agent_display_name", 100001, "string"),
    ExtraField("SessionOutput", "reply_index", 100002, "int32"),
    ExtraField("SessionOutput", "reply_completed", 100003, "bool"),
    # Whether what would be sent is only shown; and this, with the note that nothing was.
    ExtraField("ExecuteToolRequest", "dry_run", 100000, "bool"),
    ExtraField("ExecuteToolResponse", "trace", 100000, STRUCT),
    # A tool or toolset that is not stored, in place of the one that is named, if one is.
    ExtraField("ExecuteToolRequest", "draft", 100001, STRUCT),
)
"""Types and fields of CX Agent Studio."""

CONNECTOR_FIELDS = (
    # Whether what would be sent is only shown, in the metadata of the answer.
    ExtraField("ExecuteToolRequest", "dry_run", 100000, "bool"),
)
"""Of Integration Connectors v2."""

STORE_TYPES: tuple[ExtraMessage, ...] = (ExtraMessage("DataStore", "LanguageInfo"),)

STORE_FIELDS = (
    # v1beta has it.
    ExtraField("DataStore", "language_info", 100000, "DataStore.LanguageInfo"),
    ExtraField("DataStore.LanguageInfo", "language_code", 100000, "string"),
    # Exports of agents have it at the connection of a store: FAQ, or nothing.
    ExtraField("DataStore", "structured_data_store_subtype", 100001, "string"),
    ExtraField("DataStore.BillingEstimation", "documents", 100000, "int32"),
    # Whether results say why they were found, in their `derivedStructData`.
    ExtraField("SearchRequest", "explain", 100000, "bool"),
    # Of what succeeded: documents that the store had already as they are, and documents that a full import deleted.
    ExtraField("ImportDocumentsMetadata", "unchanged_count", 100000, "int32"),
    ExtraField("ImportDocumentsMetadata", "deleted_count", 100001, "int32"),
    # What is wrong with which document, while the import runs; at the end the response has it.
    ExtraField("ImportDocumentsMetadata", "error_samples", 100002, "google.rpc.Status", repeated=True),
    # A site is created once its pages are in the store.
    *(
        ExtraField(message, name, number, "int32")
        for message in ("CreateTargetSiteMetadata", "BatchCreateTargetSiteMetadata", "UpdateTargetSiteMetadata")
        for number, name in enumerate(
            ("success_count", "failure_count", "unchanged_count", "deleted_count", "pending_count"), 100000
        )
    ),
)
"""Types and fields of the Discovery Engine."""
