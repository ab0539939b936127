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
    Requirement("G1", "A playbook reaches outside systems through the agent's tools, built-in and custom ones alike."),
    Requirement(
        "G2",
        "A tool can be tried on its own: give it input, look at its output.",
        divergence="So far with `openplaybook tools test` and an RPC only, not in a console.",
    ),
    Requirement("G3", "A tool can be tried while its call is put into an example, and the output taken over."),
    Requirement(
        "G4",
        "Instructions name a tool as `${TOOL: name}`; the agent decides when to call; examples steer it.",
        status=Status.PROVED,
    ),
    Requirement(
        "G5",
        "Examples hold tool uses in the documented and in today's stored form, query parameters included.",
        status=Status.PROVED,
    ),
    Requirement(
        "G6",
        "Each tool call's request, response, time and error stand in the trace of its turn.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "G7",
        "Tools have versions, are listed, patched by mask, and are not deleted while in use.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "B1",
        "Built-in tools are there for an agent without configuration; one is df-code-interpreter-tool.",
        status=Status.PROVED,
    ),
    Requirement(
        "B2",
        "generate_and_execute takes a task in words and gives code, result, error and output files.",
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
        "Without a model, what needs none is computed, and the rest refused with a clear error.",
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
        "An input that refers to @dialogflow/sessionId gets the session's id, unseen by the model.",
        status=Status.PROVED,
    ),
    Requirement(
        "O4",
        "Parameters go into path, query and header.",
        divergence="Cookies as well, which the documents exclude.",
        status=Status.PROVED,
    ),
    Requirement(
        "O5",
        "Parameters are strings, numbers, integers, booleans and arrays.",
        divergence="Objects as well, in every serialisation style of OpenAPI.",
        status=Status.PROVED,
    ),
    Requirement(
        "O6",
        "Bodies of requests and responses are empty or JSON.",
        divergence="Forms, multipart with files, text and binary content as well.",
        status=Status.PROVED,
    ),
    Requirement("O7", "The client can be asked to make the call instead of the agent.", status=Status.PROVED),
    Requirement(
        "O8",
        "A schema is drafted from a URL, a method and samples, and can be edited and extended.",
        divergence="Works from samples alone when there is no model; by RPC and command, not in a console.",
        status=Status.PROVED,
    ),
    Requirement(
        "O9",
        "x-agent-input-parameter reads a session parameter or the request's payload wherever it stands.",
        status=Status.PROVED,
    ),
    Requirement(
        "O10",
        "A default stands in only where neither session nor model has a value; without one the input is left out.",
        divergence="A required input without any value is an error that the model reads, not a call.",
        status=Status.PROVED,
    ),
    Requirement(
        "O11", "Every operation of a valid OpenAPI 2.0, 3.0 or 3.1 document can be called.", OWN, status=Status.PROVED
    ),
    Requirement(
        "O12",
        "A large response is cut as valid JSON, saying what was left out; fields can be chosen.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement(
        "A1", "The service agent's ID token or access token goes into the Authorization header.", status=Status.PROVED
    ),
    Requirement(
        "A2",
        "A configured service account's access token is minted, by those who may use the account.",
        divergence="Who may use an account is the operator's list, not a policy at Google.",
        status=Status.PROVED,
    ),
    Requirement(
        "A3", "An API key goes into the header or query parameter of the configured name.", status=Status.PROVED
    ),
    Requirement(
        "A4",
        "OAuth client credentials are exchanged at the token endpoint, kept while valid, and sent.",
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
        "An agent's client certificate and key are presented by all its tools and webhooks.",
        divergence="Tools only so far: webhooks are not called yet.",
        status=Status.PROVED,
    ),
    Requirement("A8", "A tool can bring the certificate authorities it trusts.", status=Status.PROVED),
    Requirement("A9", "Secrets are named by version; no export of an agent holds a raw value.", status=Status.PROVED),
    Requirement(
        "A10",
        "With a Service Directory service the call stays inside the private network, names checked.",
        status=Status.PROVED,
    ),
    Requirement(
        "A11",
        "Without permission no tool reaches private, loopback, link-local or metadata addresses.",
        OWN,
        status=Status.PROVED,
    ),
    Requirement("D1", "Questions are answered from up to one data store of each type, all of them asked."),
    Requirement("D2", "A data store tool has one action named like it; query in, answer and snippets out."),
    Requirement("D3", "A metadata filter narrows the search; a malformed one is ignored."),
    Requirement("D4", "User metadata of any keys reaches search and answer."),
    Requirement("D5", "The fallback is the answer where no valid summary exists, and then there are no snippets."),
    Requirement("D6", "An FAQ entry for the question overrides the answer."),
    Requirement("D7", "Examples steer data store tools, with their own spelling of input and output."),
    Requirement("D8", "Answers are rated for grounding, and those below the chosen level are withheld."),
    Requirement("D9", "Model and prompt of the summary can be chosen, with all documented placeholders."),
    Requirement("D10", "The user's words are rewritten, in their conversation, into a precise query."),
    Requirement("D11", "NOT_ENOUGH_INFORMATION never reaches the user; a friendly sentence does."),
    Requirement("D12", "Snippets can be added to the response as rich content for the messenger."),
    Requirement("D13", "No reply is shown whose text, or whose prompt, holds a banned phrase."),
    Requirement("D14", "Data store tools run on the client on request."),
    Requirement(
        "D15",
        "A tool needs a data store; stores are created and filled with sites, documents, records and FAQ.",
        divergence="Chunked and unchunked stores may be mixed.",
    ),
    Requirement("D16", "Instructions decide how to go on with an answer and what to say without one."),
    Requirement("K1", "A connector tool takes actions of one connection, which several tools may share."),
    Requirement("K2", "62 systems can be connected."),
    Requirement("K3", "Entities can be created, listed and updated by filter, got and deleted."),
    Requirement("K4", "Systems bring actions of their own, often a query language over entities as tables."),
    Requirement("K5", "Chosen input and output fields limit what the agent sets and what it learns."),
    Requirement("K6", "A connection may take its credentials from session parameters."),
    Requirement("K7", "Connections are made on their own or from the tool that needs one."),
    Requirement("K8", "Examples improve the use of connector tools."),
    Requirement(
        "F1",
        "A function tool has a name, a description and schemas, and is only ever run by the client.",
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
        "Text while a call is open is answered.",
        divergence="It cancels the open call; `pausedInput: REFUSE` gives Google's INVALID_ARGUMENT instead.",
        status=Status.PROVED,
    ),
    Requirement(
        "C1",
        "ALWAYS_CLIENT_EXECUTION hands OpenAPI and data store calls to the client for that turn.",
        status=Status.PROVED,
        divergence="Tools of every kind alike; data store tools join as soon as they are there.",
    ),
    Requirement(
        "S1",
        "A client function has a name, a description, and schemas in OpenAPI form.",
        STUDIO,
        status=Status.PROVED,
    ),
    Requirement(
        "S2",
        "Its call blocks the session; the output lists tool calls with id and arguments.",
        STUDIO,
        status=Status.PROVED,
    ),
    Requirement(
        "S3",
        "The client answers by id, in both spellings, and the agent waits for that.",
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
        "Exported agents are imported without loss and exported so that Google would take them.",
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
    Requirement("X5", "Tools of MCP servers serve playbooks, and our tools serve MCP clients.", OWN),
    Requirement("X6", "A conversation recorded once replays as a test.", OWN, Status.PROVED),
    Requirement("X7", "Agents answer clients of the A2A protocol; remote agents are tools.", OWN),
    Requirement(
        "X8",
        "No caller's input stops the server or holds up ordinary turns, and its memory stays bounded.",
        OWN,
        Status.PROVED,
    ),
    Requirement("X9", "The offline model takes no unsafe action that the user did not ask for.", OWN, Status.PROVED),
    Requirement("X10", "A newcomer talks to an agent of their own within ten minutes, by the documents alone.", OWN),
    Requirement("X11", "Data that an older version wrote goes on working.", OWN),
)
"""Every requirement, in the order in which it is shown."""

BY_ID = {requirement.id: requirement for requirement in REQUIREMENTS}
