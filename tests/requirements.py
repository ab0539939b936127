"""What the software promises, one sentence an id; tests say which they prove with `@pytest.mark.proves("F2")`.

An id is `open` until its behaviour is there. From the day it is `proved`, the whole suite fails without a passing
test that carries its mark (`tests/ledger.py`), and the README's table says that it works (`make docs`).
"""

from dataclasses import dataclass
from enum import Enum


class Source(Enum):
    """Where a sentence comes from."""

    TOOLS = "Dialogflow CX documentation, page on playbook tools"
    STUDIO = "CX Agent Studio documentation, page on client function tools"
    OWN = "ours: beyond the documents"


class Status(Enum):
    """How far it is."""

    OPEN = "open"
    PROVED = "proved"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One testable sentence."""

    id: str
    sentence: str
    source: Source = Source.TOOLS
    status: Status = Status.OPEN
    divergence: str = ""
    """Where we do otherwise than the source, and how."""


SECTIONS = {
    "G": "Tools in general",
    "B": "Built-in tools",
    "O": "OpenAPI tools",
    "A": "Authentication of tools",
    "D": "Data store tools",
    "K": "Connector tools",
    "F": "Function tools",
    "C": "Client-side execution",
    "S": "CX Agent Studio",
    "X": "Beyond the documents",
}
"""First letter of an id → title."""

OWN, STUDIO = Source.OWN, Source.STUDIO

REQUIREMENTS = (
    Requirement("G1", "A playbook reaches outside systems through the agent's tools, both built-in and custom."),
    Requirement(
        "G2",
        "A tool can be tested on its own: give it input, see its output.",
        status=Status.PROVED,
    ),
    Requirement(
        "G3",
        "A tool can be tested while an example is written, and its output used in the example.",
        status=Status.PROVED,
    ),
    Requirement(
        "G4",
        "Instructions name a tool as `${TOOL: name}`; the agent decides when to call; examples steer it.",
        status=Status.PROVED,
    ),
    Requirement(
        "G5",
        "Examples contain tool uses in the documented form and in today's stored form, with query parameters.",
        status=Status.PROVED,
    ),
    Requirement(
        "G6",
        "The trace of a turn has the request, response, time and error of each tool call.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "G7",
        "Tools have versions. They can be listed and patched by mask, and cannot be deleted while in use.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "B1",
        "An agent has built-in tools without configuration; one is df-code-interpreter-tool.",
        status=Status.PROVED,
    ),
    Requirement(
        "B2",
        "generate_and_execute takes a task in words and returns code, result, error and output files.",
        status=Status.PROVED,
    ),
    Requirement(
        "B3",
        "It writes code with the model and runs it, for analysis, plots, text, equations, optimisation.",
        status=Status.PROVED,
    ),
    Requirement("B4", "Asked for 4 + 4, its execution result is 8.", status=Status.PROVED),
    Requirement(
        "B5",
        "Code runs in a sandbox: no network, own files only, limits on every resource, no leftovers.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "B6",
        "Without a model, the tool computes what needs none and rejects the rest with a clear error.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "O1", "Given an OpenAPI schema in YAML or JSON, the agent calls that API for the user.", status=Status.PROVED
    ),
    Requirement(
        "O2", "The documents' pet schema works exactly as printed, unquoted status keys included.", status=Status.PROVED
    ),
    Requirement(
        "O3",
        "An input that refers to @dialogflow/sessionId gets the session ID; the model does not see it.",
        status=Status.PROVED,
    ),
    Requirement(
        "O4",
        "Parameters go into path, query and header.",
        divergence="Cookies are supported too; the documentation excludes them.",
        status=Status.PROVED,
    ),
    Requirement(
        "O5",
        "Parameters are strings, numbers, integers, booleans and arrays.",
        divergence="Objects are supported too, in every serialisation style of OpenAPI.",
        status=Status.PROVED,
    ),
    Requirement(
        "O6",
        "Bodies of requests and responses are empty or JSON.",
        divergence="Forms, multipart with files, text and binary content are supported too.",
        status=Status.PROVED,
    ),
    Requirement("O7", "The client can be asked to make the call instead of the agent.", status=Status.PROVED),
    Requirement(
        "O8",
        "A schema is drafted from a URL, a method and samples, and can be edited and extended.",
        divergence="Samples are enough when there is no model.",
        status=Status.PROVED,
    ),
    Requirement(
        "O9",
        "x-agent-input-parameter reads a session parameter or the request's payload, wherever it is used.",
        status=Status.PROVED,
    ),
    Requirement(
        "O10",
        "A default applies only if neither session nor model has a value; without one the input is omitted.",
        divergence="If a required input has no value, no call is made and the model gets an error.",
        status=Status.PROVED,
    ),
    Requirement(
        "O11", "Every operation of a valid OpenAPI 2.0, 3.0 or 3.1 document can be called.", OWN, status=Status.PROVED
    ),
    Requirement(
        "O12",
        "A large response is cut to valid JSON that states what was omitted; fields can be chosen.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "A1", "The service agent's ID token or access token goes into the Authorization header.", status=Status.PROVED
    ),
    Requirement(
        "A2",
        "Agents with permission to use a configured service account get an access token of it.",
        divergence="The operator's list decides who may use an account, not a policy at Google.",
        status=Status.PROVED,
    ),
    Requirement(
        "A3", "An API key goes into the header or query parameter of the configured name.", status=Status.PROVED
    ),
    Requirement(
        "A4",
        "OAuth client credentials are exchanged for a token, which is cached while valid and sent.",
        status=Status.PROVED,
    ),
    Requirement(
        "A5",
        "Other OAuth flows stay in the client, which passes on a bearer token or runs the tool itself.",
        status=Status.PROVED,
    ),
    Requirement(
        "A6", "A bearer token is static or read from a session parameter when the call is made.", status=Status.PROVED
    ),
    Requirement(
        "A7",
        "All tools and webhooks of an agent present its client certificate.",
        divergence="Only tools so far; webhooks are not called yet.",
        status=Status.PROVED,
    ),
    Requirement("A8", "A tool can bring the certificate authorities it trusts.", status=Status.PROVED),
    Requirement(
        "A9", "Secrets are referenced by version; no export of an agent contains a raw value.", status=Status.PROVED
    ),
    Requirement(
        "A10",
        "With a Service Directory service the call stays inside the private network; names are verified.",
        status=Status.PROVED,
    ),
    Requirement(
        "A11",
        "Without permission no tool reaches private, loopback, link-local or metadata addresses.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "D1", "Questions are answered from up to one data store of each type, all of them asked.", status=Status.PROVED
    ),
    Requirement(
        "D2",
        "A data store tool has one action with the tool's name: query in, answer and snippets out.",
        status=Status.PROVED,
    ),
    Requirement("D3", "A metadata filter narrows the search; a malformed one is ignored.", status=Status.PROVED),
    Requirement("D4", "User metadata of any keys reaches search and answer.", status=Status.PROVED),
    Requirement(
        "D5", "If there is no valid summary, the answer is the fallback, without snippets.", status=Status.PROVED
    ),
    Requirement("D6", "An FAQ entry for the question overrides the answer.", status=Status.PROVED),
    Requirement(
        "D7", "Examples steer data store tools, with their own spelling of input and output.", status=Status.PROVED
    ),
    Requirement(
        "D8", "Answers are rated for grounding, and those below the chosen level are withheld.", status=Status.PROVED
    ),
    Requirement(
        "D9", "Model and prompt of the summary can be chosen, with all documented placeholders.", status=Status.PROVED
    ),
    Requirement(
        "D10", "The user's words are rewritten, in their conversation, into a precise query.", status=Status.PROVED
    ),
    Requirement(
        "D11", "NOT_ENOUGH_INFORMATION never reaches the user; a friendly sentence does.", status=Status.PROVED
    ),
    Requirement(
        "D12", "Snippets can be added to the response as rich content for the messenger.", status=Status.PROVED
    ),
    Requirement("D13", "No reply is shown if its text or its prompt contains a banned phrase.", status=Status.PROVED),
    Requirement("D14", "Data store tools run on the client on request.", status=Status.PROVED),
    Requirement(
        "D15",
        "A tool needs a data store; stores are created and filled with sites, documents, records and FAQ.",
        divergence="Chunked and unchunked stores may be mixed.",
    ),
    Requirement(
        "D16", "Instructions decide how to continue with an answer and what to say without one.", status=Status.PROVED
    ),
    Requirement(
        "K1",
        "A connector tool uses actions of one connection; several tools may share a connection.",
        status=Status.PROVED,
    ),
    Requirement("K2", "62 systems can be connected.", status=Status.PROVED),
    Requirement(
        "K3", "Entities can be created, read, deleted, and listed and updated by filter.", status=Status.PROVED
    ),
    Requirement(
        "K4", "Systems have their own actions, often a query language over entities as tables.", status=Status.PROVED
    ),
    Requirement("K5", "Chosen input and output fields limit what the agent can set and see.", status=Status.PROVED),
    Requirement("K6", "A connection may take its credentials from session parameters.", status=Status.PROVED),
    Requirement("K7", "Connections are created separately or from the tool that needs one.", status=Status.PROVED),
    Requirement("K8", "Examples improve the use of connector tools.", status=Status.PROVED),
    Requirement(
        "F1",
        "A function tool has a name, a description and schemas, and is run only by the client.",
        status=Status.PROVED,
    ),
    Requirement(
        "F2",
        "The response asks for the call and pauses the session; a request with the result resumes it.",
        status=Status.PROVED,
    ),
    Requirement(
        "F3",
        "The documents' two weather requests are accepted as printed and answered as printed.",
        status=Status.PROVED,
    ),
    Requirement(
        "F4",
        "The agent replies to text while a call is open.",
        divergence="It cancels the open call; `pausedInput: REFUSE` gives Google's INVALID_ARGUMENT instead.",
        status=Status.PROVED,
    ),
    Requirement(
        "C1",
        "ALWAYS_CLIENT_EXECUTION hands OpenAPI and data store tool calls to the client for that turn.",
        status=Status.PROVED,
        divergence="It covers tools of every kind.",
    ),
    Requirement(
        "S1",
        "A client function has a name, a description, and schemas in OpenAPI form.",
        STUDIO,
        status=Status.PROVED,
    ),
    Requirement(
        "S2",
        "Its call blocks the session; the output lists tool calls with their IDs and arguments.",
        STUDIO,
        status=Status.PROVED,
    ),
    Requirement(
        "S3",
        "The client sends results by ID, in both spellings, and the agent waits for them.",
        STUDIO,
        status=Status.PROVED,
    ),
    Requirement(
        "X1",
        "Google's own client libraries and the scrapi tools work unchanged.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "X2",
        "Exported agents are imported without loss and exported in a form that Google would accept.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "X3", "Everything runs offline without a key, and with a key on any provider.", OWN, status=Status.PROVED
    ),
    Requirement(
        "X4",
        "A crash loses nothing and repeats no completed call; machines can share one database.",
        OWN,
        Status.PROVED,
    ),
    Requirement("X5", "Playbooks can use tools of MCP servers, and MCP clients can use our tools.", OWN),
    Requirement("X6", "A conversation recorded once replays as a test.", OWN, Status.PROVED),
    Requirement("X7", "Clients of the A2A protocol can talk to agents; remote agents are tools.", OWN),
    Requirement(
        "X8",
        "No caller's input stops the server or delays ordinary turns, and its memory stays bounded.",
        OWN,
        Status.PROVED,
    ),
    Requirement("X9", "The offline model takes no unsafe action that the user did not ask for.", OWN, Status.PROVED),
    Requirement(
        "X10",
        "A newcomer talks to their own agent within ten minutes, using only the documentation.",
        OWN,
        Status.PROVED,
    ),
    Requirement("X11", "Data written by an older version continues to work.", OWN),
)
"""Every requirement, in the order in which it is shown."""

BY_ID = {requirement.id: requirement for requirement in REQUIREMENTS}
