"""One operation of a document, and the exchanges that took place with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.drafting.components import BodySchema
from openplaybook.drafting.document_tree import array, followed, member, parameter
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.observed_parameters import ObservedParameter, in_headers, in_queries
from openplaybook.drafting.parameter_schemas import described, widened
from openplaybook.drafting.path_templates import LocatedExchange
from openplaybook.drafting.sample_bodies import Contents, by_media_type, known_type, phrase, values_of
from openplaybook.drafting.samples import ApiExchange
from openplaybook.drafting.widener import Widener
from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.tools.openapi.requests.bodies import is_json
from openplaybook.tools.schema.dialect import Direction, is_true


@dataclass
class TargetDocument:
    """The document that operations are absorbed into."""

    root: JsonObject
    remarks: Remarks
    places: list[BodySchema] = field(default_factory=list[BodySchema])
    """Schemas that are new, for naming what they share."""

    def __post_init__(self) -> None:
        self.requests = Widener(self.root, Direction.INPUT, self.remarks)
        self.responses = Widener(self.root, Direction.OUTPUT, self.remarks)


@dataclass(frozen=True)
class OperationUpdate:
    """What an operation, new or known, learns from exchanges."""

    target: TargetDocument
    method: str
    path: str
    item: JsonObject
    operation: JsonObject
    is_new: bool
    exchanges: Sequence[ApiExchange]

    @property
    def where(self) -> str:
        """`GET /pets`, for remarks."""
        return f"{self.method.upper()} {self.path}"

    def absorb(self) -> None:
        """Parameters, body and answers."""
        for observed in [*in_queries(self.exchanges), *in_headers(self.exchanges)]:
            self._parameter(observed)
        self._unseen_parameters()
        self._request()
        by_status: dict[str, list[ApiExchange]] = {}
        for exchange in self.exchanges:
            by_status.setdefault(exchange.status, []).append(exchange)
        responses = member(self.target.root, self.operation, "responses")
        for status, exchanges in sorted(by_status.items()):
            if responses is not None:
                self._response(responses, status, exchanges)

    def _parameter(self, observed: ObservedParameter) -> None:
        root, widener = self.target.root, self.target.requests
        known = parameter(root, observed.name, observed.place, self.operation, self.item)
        is_always = len(observed.occurrences) == len(self.exchanges)
        if known is None:
            description = described(observed, required=is_always and self.is_new)
            description["schema"] = widener.spelled(description["schema"])
            array(self.operation, "parameters").append(description)
        else:
            widened(known, observed, widener, f"{self.where} parameter {observed.name}")

    def _unseen_parameters(self) -> None:
        """What a sample goes without is not required."""
        samples_by_parameter: dict[tuple[str, str], set[int]] = {}
        for observed in [*in_queries(self.exchanges), *in_headers(self.exchanges)]:
            samples_by_parameter[observed.place, observed.name.lower()] = {each.sample for each in observed.occurrences}
        for holder in (self.operation, self.item):
            for each in as_list(holder.get("parameters")):
                known = followed(self.target.root, each)
                if known is None or known.get("in") not in ("query", "header") or not is_true(known.get("required")):
                    continue
                samples = samples_by_parameter.get((str(known["in"]), str(known.get("name")).lower()), set())
                if len(samples) < len(self.exchanges):
                    self.target.remarks.widened(f"{self.where} parameter {known.get('name')}", "no longer required")
                    known["required"] = False

    def _request(self) -> None:
        bodies = by_media_type([(each, each.request) for each in self.exchanges])
        is_always = all(each.request is not None for each in self.exchanges)
        known = followed(self.target.root, self.operation.get("requestBody"))
        if known is not None and is_true(known.get("required")) and not is_always:
            self.target.remarks.widened(f"{self.where} requestBody", "no longer required")
            known["required"] = False
        for media_type, contents in bodies.items():
            if media_type.startswith("multipart/"):
                self.target.remarks.add(
                    f"{self.where}: {media_type} bodies are not read from samples; describe the body by hand."
                )
                continue
            if known is None:
                known = {"required": True} if is_always and self.is_new else {}
                self.operation["requestBody"] = known
            kind = "Patch" if self.method == "patch" else "Input"
            self._content(known, media_type, contents, f"{self.where} requestBody", kind)

    def _response(self, responses: JsonObject, status: str, exchanges: Sequence[ApiExchange]) -> None:
        key = status if status in responses else f"{status[0]}XX" if f"{status[0]}XX" in responses else status
        if key not in responses:
            responses[key] = {"description": phrase(status)}
        known = followed(self.target.root, responses[key])
        if known is None:
            return
        for media_type, contents in by_media_type([(each, each.response) for each in exchanges]).items():
            kind = "" if status.startswith("2") else "Error"
            self._content(known, media_type, contents, f"{self.where} response {status}", kind)

    def _content(self, holder: JsonObject, media_type: str, contents: Contents, where: str, kind: str) -> None:
        content = member(self.target.root, holder, "content")
        if content is None:
            return
        is_request = kind in ("Input", "Patch")
        widener = self.target.requests if is_request else self.target.responses
        values = values_of(media_type, contents)
        key = known_type(content, media_type)
        if key is None:
            media: JsonObject = {"schema": widener.new(values) if values is not None else {"type": "string"}}
            content[media_type] = media
            if values is not None and is_json(media_type):
                self.target.places.append(BodySchema(media, self.path, kind, values))
        elif values is not None:
            known = followed(self.target.root, content[key])
            if known is not None:
                known["schema"] = widener.widen(known.get("schema"), values, where)


def of_method(located: Sequence[LocatedExchange], method: str) -> list[ApiExchange]:
    """The exchanges that used a method."""
    return [each.exchange for each in located if each.exchange.method == method]
