"""`DataStoreTool`: one question to several stores, one grounded answer."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import AgentText, Entry, UserText
from openplaybook.resources.call_spellings import SUCCESS
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.retrieval.answers.answer_settings import AnswerModels, AnswerSettings, Rejection
from openplaybook.retrieval.answers.base import AnswerRequest, AskedStore, GroundedAnswer, Snippet, SpokenLine
from openplaybook.retrieval.answers.phrases import BannedPhrase, PhraseFilter
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.answers.prompts import DEFAULT_REWRITE, DEFAULT_SUMMARY
from openplaybook.retrieval.base import StoreFacts, StoreSearch
from openplaybook.retrieval.errors import InvalidFilter, InvalidSearchConfig, RetrievalError
from openplaybook.tools.base import Action, Call, Failure, Outcome, Success, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.data_store.prompted_model import prompted_model
from openplaybook.tools.data_store.references import ReferencedValues
from openplaybook.tools.data_store.search_scope import SearchScope, call_filter, effective_config
from openplaybook.tools.data_store.signals import INVALID_SEARCH_CONFIG, rich_content, signals_of
from openplaybook.tools.data_store.tool_output import InvalidQuestion, Question, read_question
from openplaybook.tools.data_store.tool_settings import DEFAULT_LEVEL, SearchToolSettings
from openplaybook.workers.errors import WorkError

MAX_S = 60.0
"""For one call, whatever its caller has left."""
LONGEST_SNIPPET = 4_000
"""Characters of a snippet in an output: a store may hold whole documents."""
OVERRIDE = "knowledge.overrides.query"
"""Session parameter that takes the place of the query (documented)."""
NO_SUCH_STORE = "NO_SUCH_DATA_STORE"
UNAVAILABLE = "DATA_STORES_UNAVAILABLE"


class DataStoreTool(Tool):
    """Answers questions from its stores."""

    def __init__(
        self,
        action: Action,
        settings: SearchToolSettings,
        search: StoreSearch | None,
        kind: str = "data store tools",
        *,
        is_app: bool = False,
    ) -> None:
        """`kind` is what such tools are called in a sentence; `is_app`: outputs are as an app's tools give them,
        without a response code."""
        self._kind = kind
        self._action = action
        self._settings = settings
        self._search = search
        self._is_app = is_app

    def actions(self) -> Sequence[Action]:
        """The one action."""
        return (self._action,)

    def fault(self) -> str:
        """That nothing is searched here, where that is so."""
        return "" if self._search is not None else f"{self._kind} are not run"

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Search every store and answer.

        That nothing is found, or that an answer is not given, is a success that says so. Failures: INVALID_ARGUMENTS,
        NO_SUCH_DATA_STORE, DATA_STORES_UNAVAILABLE, INVALID_SEARCH_CONFIG, TIMEOUT, and the codes of what the engine
        raises.
        """
        seconds = min(context.timeout_s, MAX_S)
        try:
            question = read_question(call.arguments)
            if self._search is None:
                return Failure(UNAVAILABLE, f"{call.action.action} was not called: {self._kind} are not run here.")
            async with asyncio.timeout(seconds):
                return await self._answered(question, context, self._search, time.monotonic() + seconds)
        except InvalidQuestion as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        except InvalidSearchConfig as error:
            return Failure(INVALID_SEARCH_CONFIG, f"The search was not made. {error}.")
        except (RetrievalError, WorkError) as error:
            return Failure(error.code, f"The search failed: {error}.")
        except TimeoutError:
            return Failure("TIMEOUT", f"There was no answer from the data stores within {seconds:g} seconds.")

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them, where they are a question."""
        try:
            read_question(call.arguments)
        except InvalidQuestion as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        return call.arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with a client's answer."""
        return await result_problems(action.output_schema, output)

    async def _answered(
        self, question: Question, context: ToolContext, search: StoreSearch, deadline: float
    ) -> Success | Failure:
        found = [(each.name, await search.directory.facts(each.name)) for each in self._settings.stores]
        missing = [name for name, facts in found if facts is None]
        stores = [facts for _, facts in found if facts is not None]
        if missing or not stores:
            return Failure(NO_SUCH_STORE, _missing(missing))
        metadata = {**context.end_user_metadata, **(question.user_metadata or {})}
        values = ReferencedValues(context.parameters, metadata)
        config = effective_config(self._settings, [each.name for each in stores], context.search_config, values)
        narrowed = call_filter(question.filter)
        request = AnswerRequest(
            query=_override(context) or question.query,
            language=context.language_code,
            conversation=spoken_before(context.conversation()),
            end_user_metadata=metadata,
            fallback=question.fallback,
        )
        settings, models = self._answer_settings(context), self._models(context, deadline)
        notes = [narrowed.note] if narrowed.note else []
        scope = SearchScope(config, narrowed.node)
        try:
            given = await answer(request, _asked(stores, scope), search.engine, settings, models)
        except InvalidFilter as error:
            if scope.of_call is None:
                raise InvalidSearchConfig(str(error), "a filter") from error
            notes.append(f"The filter was ignored: {error}.")
            given = await answer(request, _asked(stores, replace(scope, of_call=None)), search.engine, settings, models)
        return await self._success(given, context, settings.banned, notes)

    def _answer_settings(self, context: ToolContext) -> AnswerSettings:
        own = self._settings
        rewriter = own.rewriter
        return AnswerSettings(
            summary_prompt=own.summary.prompt or DEFAULT_SUMMARY,
            rewriter_prompt=(rewriter and rewriter.prompt) or DEFAULT_REWRITE,
            summarizes=not own.summary.is_off,
            rewrites=rewriter is None or not rewriter.is_off,
            level=own.level or DEFAULT_LEVEL,
            grounding_disabled=own.level is None,
            heuristics_disabled=not own.heuristics,
            rejection=Rejection.SNIPPETS if own.snippets_below_level else Rejection.NO_ANSWER,
            banned=phrase_filter(context.banned),
        )

    def _models(self, context: ToolContext, deadline: float) -> AnswerModels:
        return AnswerModels(
            rewriter=prompted_model(self._settings.rewriter, context, deadline),
            summarizer=prompted_model(self._settings.summary, context, deadline),
        )

    async def _success(
        self, given: GroundedAnswer, context: ToolContext, banned: PhraseFilter, notes: Sequence[str]
    ) -> Success:
        body: JsonObject = {"answer": given.text, "snippets": [_shown(each) for each in given.snippets]}
        return Success(
            body if self._is_app else {SUCCESS: body},
            " ".join((*notes, *map(_sentence, given.notes))),
            signals=signals_of(given, context.search_config),
            payloads=await self._payloads(given, banned, context.language_code),
        )

    async def _payloads(self, given: GroundedAnswer, banned: PhraseFilter, language: str) -> tuple[JsonObject, ...]:
        """The snippets for a messenger, where the tool wants them shown and there is an answer that they support."""
        most = self._settings.payload_snippets
        if not most or not given.text or not given.snippets:
            return ()
        free = [each for each in given.snippets if not await banned.find(f"{each.title}\n{each.text}", language)]
        return (rich_content(free[:most]),) if free else ()


def spoken_before(conversation: Sequence[Entry]) -> tuple[SpokenLine, ...]:
    """What was said before the user's latest words, which are what is asked now."""
    last = max((place for place, each in enumerate(conversation) if isinstance(each, UserText)), default=0)
    words = [each for each in conversation[:last] if isinstance(each, UserText | AgentText)]
    return tuple(SpokenLine(each.text, isinstance(each, UserText)) for each in words)


def phrase_filter(banned: Sequence[BannedTexts]) -> PhraseFilter:
    """All of them as one; parts of words count where one of them says so."""
    phrases = tuple(BannedPhrase(text, language) for each in banned for text, language in each.phrases)
    return PhraseFilter(phrases, bool(banned) and all(each.whole_words for each in banned))


def _asked(stores: Sequence[StoreFacts], scope: SearchScope) -> Sequence[AskedStore]:
    return [AskedStore(each, scope.filter_for(each.name), scope.boosts_for(each.name)) for each in stores]


def _missing(names: Sequence[str]) -> str:
    if not names:
        return "The tool names no data store that could be searched."
    listed = ", ".join(names)
    remedy = "create and fill it (openplaybook datastores ingest), or change the tool"
    return f"This server has no data store {listed}: {remedy}."


def _override(context: ToolContext) -> str:
    """What the session asks in place of the query; empty where it asks nothing."""
    value: JsonValue = context.parameters.get(OVERRIDE)
    if value is None:
        value = dict(context.parameters)
        for key in OVERRIDE.split("."):
            value = as_object(value).get(key)
    return value.strip() if isinstance(value, str) else ""


def _shown(snippet: Snippet) -> JsonObject:
    text = snippet.text
    return {
        "title": snippet.title,
        "text": text if len(text) <= LONGEST_SNIPPET else f"{text[:LONGEST_SNIPPET]}…",
        "uri": snippet.uri,
    }


def _sentence(note: str) -> str:
    begun = note[:1].upper() + note[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."
