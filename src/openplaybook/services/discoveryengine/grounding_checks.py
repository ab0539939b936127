"""`CheckGrounding`: how well facts support an answer, sentence by sentence."""

from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.field_behavior import check_required
from openplaybook.retrieval.answers.base import Claim, Grounding
from openplaybook.retrieval.answers.groundedness import CITATION_THRESHOLD, MAX_ANSWER, MAX_FACT, MAX_FACTS, grounded
from openplaybook.services.errors import invalid, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

CHECKS = Lane("checks of grounding", threads=1, waiting=200, seconds=25)
"""A check of the longest answer takes some seconds."""


class GroundingChecks:
    """Holds answers against facts."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def check(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The support of an answer and of each of its claims, with the facts that support them."""
        check_required(request, None)
        _check_sizes(request)
        spec = request.grounding_spec
        threshold = spec.citation_threshold if spec.HasField("citation_threshold") else CITATION_THRESHOLD
        if not 0 <= threshold <= 1:
            raise invalid(("grounding_spec.citation_threshold", f"is {threshold:g}; it must be from 0 to 1"))
        facts = [fact.fact_text for fact in request.facts]
        try:
            found = await CHECKS.run(partial(grounded, request.answer_candidate, facts, threshold=threshold))
        except WorkError as error:
            raise to_rpc_error(error) from error
        attributes = [dict(fact.attributes) for fact in request.facts]
        response = _response(found, facts, attributes, has_scores=spec.enable_claim_level_score)
        return self._parts.api.codec.from_json(response, self._parts.discovery("CheckGroundingResponse"))


def _check_sizes(request: ApiMessage) -> None:
    if not request.facts:
        raise invalid(("facts", "are required: at least one has to be given"))
    if len(request.facts) > MAX_FACTS:
        raise invalid(("facts", f"are {len(request.facts)}; at most {MAX_FACTS} can be given"))
    if len(request.answer_candidate) > MAX_ANSWER:
        raise invalid(("answer_candidate", f"is longer than {MAX_ANSWER} characters"))
    for index, fact in enumerate(request.facts):
        if not fact.fact_text.strip():
            raise invalid((f"facts[{index}].fact_text", "is required"))
        if len(fact.fact_text) > MAX_FACT:
            raise invalid((f"facts[{index}].fact_text", f"is longer than {MAX_FACT} characters"))


def _response(found: Grounding, facts: list[str], attributes: list[dict[str, str]], *, has_scores: bool) -> JsonObject:
    checked = [claim.score for claim in found.claims if claim.needs_check]
    cited = sorted({fact for claim in found.claims for fact in claim.citations})
    chunks: list[JsonValue] = [
        {"chunkText": facts[fact], "source": str(fact), "index": index, "sourceMetadata": {**attributes[fact]}}
        for index, fact in enumerate(cited)
    ]
    return {
        # What share of the claims is found in the facts, by Google's words.
        "supportScore": sum(checked) / len(checked) if checked else 0.0,
        "citedChunks": chunks,
        "citedFacts": [{"chunkText": facts[fact]} for fact in cited],
        "claims": [_claim(claim, cited, has_scores=has_scores) for claim in found.claims],
    }


def _claim(claim: Claim, cited: list[int], *, has_scores: bool) -> JsonObject:
    shown: JsonObject = {
        "startPos": claim.start,
        "endPos": claim.end,
        "claimText": claim.text,
        "groundingCheckRequired": claim.needs_check,
    }
    if claim.needs_check:
        shown["citationIndices"] = [cited.index(fact) for fact in claim.citations]
        if has_scores:
            shown["score"] = claim.score
    return shown
