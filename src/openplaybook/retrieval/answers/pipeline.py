"""The way from a question to a grounded answer: rewriting, search, FAQ, summary, grounding, banned phrases.

Source: "Data store tools" of Dialogflow CX and CX Agent Studio, for the order and for what is said without an answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from openplaybook.retrieval.answers.answer_settings import AnswerModels, AnswerSettings, Rejection
from openplaybook.retrieval.answers.base import (
    MAX_QUERY,
    NOT_ENOUGH_INFORMATION,
    AnswerOrigin,
    AnswerPart,
    AnswerRequest,
    AskedStore,
    BannedIn,
    GroundedAnswer,
    Grounding,
    ModelExchange,
    PromptFailed,
    Snippet,
)
from openplaybook.retrieval.answers.extractive import extracted, joined
from openplaybook.retrieval.answers.groundedness import grounded, judged, verbatim
from openplaybook.retrieval.answers.prompts import PromptValues, rendered
from openplaybook.retrieval.answers.rewriter import Rewriting, resolved, rewritten
from openplaybook.retrieval.answers.sources import FoundSources, arranged, searched
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.language.detection import detected
from openplaybook.workers.lanes import Lane

ANSWERS = Lane("answers", threads=2, waiting=64, seconds=10)
"""Choosing sentences and comparing them with facts, some milliseconds each."""

_SETTINGS = AnswerSettings()
_NO_MODELS = AnswerModels()
_NOTHING = GroundedAnswer("", AnswerOrigin.NONE)


async def answer(
    request: AnswerRequest,
    stores: Sequence[AskedStore],
    engine: SearchEngine,
    settings: AnswerSettings = _SETTINGS,
    models: AnswerModels = _NO_MODELS,
) -> GroundedAnswer:
    """The answer that the stores have for a question, or what is said in its place, with all that led to it.

    Raises what the engine raises, and `WorkError` where too much else is being answered. Models that fail are told of
    in the notes.
    """
    language = request.language or detected(request.query)
    declared = {each.facts.language for each in stores if each.facts.language}
    of_content = declared.pop() if len(declared) == 1 else language
    return await _Pipeline(replace(request, language=language), stores, engine, settings, models, of_content).run()


@dataclass(frozen=True, slots=True)
class _Draft:
    """A text that may become the answer."""

    text: str
    origin: AnswerOrigin
    sources: tuple[int, ...] = ()
    """Positions of the snippets that have it word for word."""


@dataclass(frozen=True, slots=True)
class _Pipeline:
    request: AnswerRequest
    stores: Sequence[AskedStore]
    engine: SearchEngine
    settings: AnswerSettings
    models: AnswerModels
    of_content: str
    """Language of what is found: that of the stores where they declare one, else that of the conversation."""

    async def run(self) -> GroundedAnswer:
        query, language = self.request.query[:MAX_QUERY], self.request.language
        banned = await self.settings.banned.find(query, language)
        if banned is not None:
            state = replace(_NOTHING, banned_in=BannedIn.QUERY, banned_phrase=banned.phrase)
            return await self._in_its_place(state, "")
        rewriting = await self._rewritten(query)
        results = await searched(self.engine, self.stores, rewriting.query, self.of_content)
        most = max(1, self.settings.sources)
        found = await ANSWERS.run(lambda: arranged(self.stores, results, rewriting.query, query, self.of_content, most))
        notes = (*((rewriting.problem,) if rewriting.problem else ()), *found.notes)
        state = replace(
            _NOTHING,
            found=found.snippets,
            rewritten_query=rewriting.query,
            rewriting=rewriting.exchange,
            notes=notes,
        )
        state, draft = await self._drafted(state, found)
        if draft is None:
            return await self._in_its_place(state, self.settings.not_found_message(language))
        if draft.origin is AnswerOrigin.NONE:
            return replace(state, snippets=found.snippets)
        return await self._judged(state, draft)

    async def _rewritten(self, query: str) -> Rewriting:
        if not self.settings.rewrites:
            return Rewriting(query)
        if self.models.rewriter is None:
            return await self._resolved(query)
        rewriting = await rewritten(self.settings.rewriter_prompt, self._values(query), self.models.rewriter)
        if not rewriting.problem:
            return rewriting
        plain = await self._resolved(query)
        return replace(plain, exchange=rewriting.exchange, problem=rewriting.problem)

    async def _resolved(self, query: str) -> Rewriting:
        return await ANSWERS.run(lambda: resolved(query, self.request.conversation, self.request.language))

    def _values(self, query: str, rewritten_query: str = "", sources: Sequence[Snippet] = ()) -> PromptValues:
        return PromptValues(
            query,
            rewritten_query,
            sources,
            self.request.end_user_metadata,
            self.request.conversation,
            self.request.language,
            self.settings.spelling,
        )

    async def _drafted(self, state: GroundedAnswer, found: FoundSources) -> tuple[GroundedAnswer, _Draft | None]:
        """A text from the sources, of origin NONE where none is wanted; None where they do not answer the question."""
        if found.override is not None:
            return state, _Draft(found.override.text, AnswerOrigin.FAQ, (0,))
        if not self.settings.summarizes:
            return state, _Draft("", AnswerOrigin.NONE)
        if not found.snippets:
            return state, None
        if self.models.summarizer is not None:
            return await self._summarised(state)
        query, language = state.rewritten_query, self.of_content
        extracts = await ANSWERS.run(lambda: extracted(query, found.snippets, language, found.counts))
        if not extracts:
            return state, None
        return state, _Draft(joined(extracts, self.of_content), AnswerOrigin.EXTRACT, (extracts[0].source,))

    async def _summarised(self, state: GroundedAnswer) -> tuple[GroundedAnswer, _Draft | None]:
        model = self.models.summarizer
        assert model is not None, "asked for only where there is one"
        values = self._values(self.request.query[:MAX_QUERY], state.rewritten_query, state.found)
        prompt = rendered(self.settings.summary_prompt, values)
        try:
            output = await model.reply(prompt)
        except PromptFailed as error:
            return replace(state, notes=(*state.notes, f"the summary failed: {error}")), None
        state = replace(state, summary=ModelExchange(prompt, output, model.name))
        text = output.strip()
        if not text or NOT_ENOUGH_INFORMATION in text:
            return state, None
        return state, _Draft(text, AnswerOrigin.SUMMARY)

    async def _judged(self, state: GroundedAnswer, draft: _Draft) -> GroundedAnswer:
        """The draft as the answer, or what is said in its place where it is not supported, or banned."""
        grounding, notes = await self._grounding(state, draft)
        state = replace(state, notes=(*state.notes, *notes))
        if not self.settings.grounding_disabled:
            state = replace(state, grounding=grounding, is_grounded=grounding.level >= self.settings.level)
        if not state.is_grounded:
            if self.settings.rejection is Rejection.SNIPPETS:
                return replace(state, snippets=state.found)
            return await self._in_its_place(state, "")
        banned = await self.settings.banned.find(draft.text, self.request.language)
        if banned is not None:
            state = replace(state, banned_in=BannedIn.RESPONSE, banned_phrase=banned.phrase)
            return await self._in_its_place(state, "")
        return replace(
            state,
            text=draft.text,
            origin=draft.origin,
            snippets=state.found,
            parts=answer_parts(draft.text, grounding),
            cited=cited_positions(grounding),
        )

    async def _grounding(self, state: GroundedAnswer, draft: _Draft) -> tuple[Grounding, tuple[str, ...]]:
        language = self.of_content
        if draft.sources:
            return verbatim(draft.text, draft.sources, language), ()
        facts = [f"{each.title}\n{each.text}" for each in state.found]
        is_lenient = self.settings.heuristics_disabled
        grounding = await ANSWERS.run(lambda: grounded(draft.text, facts, language, heuristics_disabled=is_lenient))
        if self.models.judge is None or self.settings.grounding_disabled:
            return grounding, ()
        try:
            return await judged(grounding, facts, self.models.judge), ()
        except PromptFailed as error:
            return grounding, (f"the words were compared, since the judge failed: {error}",)

    async def _in_its_place(self, state: GroundedAnswer, message: str) -> GroundedAnswer:
        """The caller's fallback without snippets; without one the message, which may be empty."""
        fallback = self.request.fallback
        if fallback and await self.settings.banned.find(fallback, self.request.language) is None:
            return replace(state, text=fallback, origin=AnswerOrigin.FALLBACK)
        return replace(state, text=message, origin=AnswerOrigin.MESSAGE if message else AnswerOrigin.NONE)


def answer_parts(text: str, grounding: Grounding) -> tuple[AnswerPart, ...]:
    """The answer in pieces, a claim in each with what stands around it; all of it is in one of them."""
    data = text.encode("utf-8", "surrogatepass")
    starts = [0, *(each.start for each in grounding.claims[1:])]
    ends = [*starts[1:], len(data)]
    pieces = [data[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)]
    if not grounding.claims:
        return (AnswerPart(text),) if text else ()
    return tuple(AnswerPart(piece, each.citations) for piece, each in zip(pieces, grounding.claims, strict=True))


def cited_positions(grounding: Grounding) -> tuple[int, ...]:
    """Positions of the facts that support an answer, first those that support most of it."""
    counts: dict[int, float] = {}
    for claim in grounding.claims:
        for place, position in enumerate(claim.citations):
            counts[position] = counts.get(position, 0.0) + 1 / (1 + place)
    return tuple(sorted(counts, key=lambda position: (-counts[position], position)))
