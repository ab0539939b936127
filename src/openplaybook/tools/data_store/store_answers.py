"""One question to several stores, and what comes of it as the outcome of a call.

Imported when a store is asked first: answering reads tables of words in many languages.
"""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import AgentText, Entry, UserText
from openplaybook.resources.call_spellings import SUCCESS
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.retrieval.answers.answer_settings import AnswerModels, AnswerSettings, Rejection
from openplaybook.retrieval.answers.base import AnswerRequest, AskedStore, GroundedAnswer, Snippet, SpokenLine
from openplaybook.retrieval.answers.claim_judge import PromptedJudge
from openplaybook.retrieval.answers.phrases import BannedPhrase, PhraseFilter
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.answers.prompts import DEFAULT_REWRITE, DEFAULT_SUMMARY
from openplaybook.retrieval.base import StoreFacts, StoreSearch
from openplaybook.retrieval.errors import InvalidSearchConfig, InvalidSearchFilter
from openplaybook.tools.base import Failure, Success, ToolContext
from openplaybook.tools.data_store.prompted_model import prompted_model
from openplaybook.tools.data_store.references import ReferencedValues
from openplaybook.tools.data_store.search_scope import SearchScope, call_filter, effective_config
from openplaybook.tools.data_store.signals import NO_SUCH_STORE, rich_content, signals_of
from openplaybook.tools.data_store.tool_output import Question
from openplaybook.tools.data_store.tool_settings import DEFAULT_LEVEL, SearchToolSettings

LONGEST_SNIPPET = 4_000
"""Characters of a snippet in an output: a store may hold whole documents."""
OVERRIDE = "knowledge.overrides.query"
"""Session parameter that takes the place of the query (documented)."""


async def answered(
    question: Question,
    context: ToolContext,
    search: StoreSearch,
    settings: SearchToolSettings,
    deadline: float,
    *,
    is_bare: bool,
) -> Success | Failure:
    """What the stores of a tool answer, those that are here; NO_SUCH_DATA_STORE where none is.

    `deadline` is on the clock of `time.monotonic`; `is_bare`: the output has no response code. Raises
    `RetrievalError`, `WorkError`.
    """
    found = [(each, await search.directory.facts(each.name)) for each in settings.stores]
    missing = [each.name for each, facts in found if facts is None]
    stores = [facts for _, facts in found if facts is not None]
    if not stores:
        return Failure(NO_SUCH_STORE, _missing(missing))
    settings = replace(settings, stores=tuple(each for each, facts in found if facts is not None))
    metadata = {**context.end_user_metadata, **(question.user_metadata or {})}
    values = ReferencedValues(context.parameters, metadata)
    config = effective_config(settings, [each.name for each in stores], context.search_config, values)
    narrowed = call_filter(question.filter)
    request = AnswerRequest(
        query=_override(context) or question.query,
        language=context.language_code,
        conversation=spoken_before(context.conversation()),
        end_user_metadata=metadata,
        fallback=question.fallback,
    )
    how = _answer_settings(settings, context)
    rewriter = prompted_model(settings.rewriter, context, deadline)
    summarizer = prompted_model(settings.summary, context, deadline)
    judge = prompted_model(settings.judge, context, deadline)
    models = AnswerModels(rewriter, summarizer, None if judge is None else PromptedJudge(judge))
    remarks = dict.fromkeys(each.remark for each in (rewriter, summarizer, judge) if each is not None and each.remark)
    notes = [
        *([f"{_missing(missing)} The others were asked."] if missing else []),
        *([narrowed.note] if narrowed.note else []),
        *map(_sentence, remarks),
    ]

    async def given_within(scope: SearchScope) -> GroundedAnswer:
        try:
            return await answer(request, _asked(stores, scope), search.engine, how, models)
        except InvalidSearchFilter as error:
            if scope.of_call is None:
                raise InvalidSearchConfig(str(error), "a filter") from error
            notes.append(f"The filter was ignored: {error}.")
            return await given_within(replace(scope, of_call=None))

    given = await given_within(SearchScope(config, narrowed.node))
    body: JsonObject = {"answer": given.text, "snippets": [_shown(each) for each in given.snippets]}
    return Success(
        body if is_bare else {SUCCESS: body},
        " ".join((*notes, *map(_sentence, given.notes))),
        signals=signals_of(given, context.search_config),
        payloads=await _payloads(given, settings.payload_snippets, how.banned, context.language_code),
    )


def spoken_before(conversation: Sequence[Entry]) -> tuple[SpokenLine, ...]:
    """What was said before the user's latest words, which are what is asked now."""
    last = max((place for place, each in enumerate(conversation) if isinstance(each, UserText)), default=0)
    words = [each for each in conversation[:last] if isinstance(each, UserText | AgentText)]
    return tuple(SpokenLine(each.text, isinstance(each, UserText)) for each in words)


def phrase_filter(banned: Sequence[BannedTexts]) -> PhraseFilter:
    """All of them as one; parts of words count where one of them says so."""
    phrases = tuple(BannedPhrase(text, language) for each in banned for text, language in each.phrases)
    return PhraseFilter(phrases, bool(banned) and all(each.whole_words for each in banned))


def _answer_settings(settings: SearchToolSettings, context: ToolContext) -> AnswerSettings:
    rewriter = settings.rewriter
    return AnswerSettings(
        summary_prompt=settings.summary.prompt or DEFAULT_SUMMARY,
        rewriter_prompt=(rewriter and rewriter.prompt) or DEFAULT_REWRITE,
        summarizes=not settings.summary.is_off,
        rewrites=rewriter is None or not rewriter.is_off,
        level=settings.level or DEFAULT_LEVEL,
        grounding_disabled=settings.level is None,
        heuristics_disabled=not settings.heuristics,
        rejection=Rejection.SNIPPETS if settings.snippets_below_level else Rejection.NO_ANSWER,
        banned=phrase_filter(context.banned),
    )


async def _payloads(given: GroundedAnswer, most: int, banned: PhraseFilter, language: str) -> tuple[JsonObject, ...]:
    """The snippets for a messenger, where the tool wants them shown and there is an answer that they support."""
    if not most or not given.text or not given.snippets:
        return ()
    free = [each for each in given.snippets if not await banned.find(f"{each.title}\n{each.text}", language)]
    return (rich_content(free[:most]),) if free else ()


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
