"""The query that is searched: the user's words, made complete from the conversation.

Without a model, a follow-up (`and for cats?`) is searched together with the topics of the questions before it, but for
those that it names something else in place of. The user's latest words stay: search needs no sentence, and nothing that
the user says may get lost.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.retrieval.answers.back_references import back_reference_parts, back_references, openers
from openplaybook.retrieval.answers.base import MAX_QUERY, ModelExchange, PromptedModel, PromptFailed, SpokenLine
from openplaybook.retrieval.answers.contrasts import contrasted, words_of
from openplaybook.retrieval.answers.prompts import PromptValues, rendered
from openplaybook.retrieval.answers.proper_names import proper_names
from openplaybook.retrieval.language.analysis import analysis_of
from openplaybook.retrieval.language.detection import detected
from openplaybook.retrieval.language.stop_words import is_stop_word

MOST_ADDED = 8
"""Words that a follow-up gets from the conversation."""
_QUESTIONS_BACK = 4
"""Questions before it that are looked at."""
_SHORT = 3
"""Topics up to which a question that begins as a follow-up is one."""
_SHORTER = 2
"""Topics up to which a question with a pronoun is a follow-up: a longer one mostly explains its pronouns itself."""
_MAX_REWRITTEN = 1_000
"""Characters of a model's query."""
_UNSPACED = {"zh", "ja", "ko", "th"}
_UNSPACED_SHORT = 14
"""Characters up to which a question in a language without blanks is a follow-up, where it looks like one."""

_SIGNS = re.compile(r"[?？؟!！.。,，、;\u037e¿¡]+")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The query that is searched for a user's words."""

    query: str
    added: tuple[str, ...] = ()
    """Words that come from the conversation."""
    exchange: ModelExchange | None = None
    """With the model, where one was asked."""
    problem: str = ""
    """A sentence on why the model's query is not used."""


def resolved(query: str, conversation: Sequence[SpokenLine], language: str) -> Rewriting:
    """The user's words, with words of the conversation behind them where they are a follow-up."""
    words = query[:MAX_QUERY].strip()
    code = detected(words, language)
    if not conversation or not is_follow_up(words, code):
        return Rewriting(words)
    known = {each.term for each in analysis_of(code).asked(words)}
    added: list[str] = []
    for word in _said_before(words, conversation, code):
        term = " ".join(each.term for each in analysis_of(code).asked(word))
        if term and term not in known:
            known.add(term)
            added.append(word)
        if len(added) == MOST_ADDED:
            break
    return Rewriting(" ".join((words, *added)), tuple(added))


def is_follow_up(query: str, language: str) -> bool:
    """Whether a question leans on what was said before. `language` is a primary subtag, or empty."""
    start = _SIGNS.sub(" ", query.lower()).strip()
    if language in _UNSPACED:
        return _is_unspaced_follow_up(start, language)
    words = start.split()
    topics = [word for word in words if not is_stop_word(word, language)]
    if not topics:
        return True
    if any(start == each or start.startswith(f"{each} ") for each in openers(language)):
        return len(topics) <= _SHORT
    return len(topics) <= _SHORTER and bool(back_references(language) & set(words))


async def rewritten(template: str, values: PromptValues, model: PromptedModel) -> Rewriting:
    """What a model makes of the user's words; where it gives nothing of use, the words themselves, and why."""
    words = values.original_query.strip()
    prompt = rendered(template, values)
    try:
        output = await model.reply(prompt)
    except PromptFailed as error:
        return Rewriting(words, problem=f"the rewriter did not answer: {error}")
    exchange = ModelExchange(prompt, output, model.name)
    query = " ".join(output.strip().strip("\"'`“”").split())
    if not query or len(query) > _MAX_REWRITTEN:
        problem = f"the rewriter's query has {len(query):,} characters; 1 to {_MAX_REWRITTEN:,} are usable"
        return Rewriting(words, exchange=exchange, problem=problem)
    return Rewriting(query, exchange=exchange)


def _is_unspaced_follow_up(start: str, language: str) -> bool:
    if len(start) > _UNSPACED_SHORT:
        return False
    begins = any(start.startswith(each) for each in openers(language))
    return begins or any(part in start for part in back_reference_parts(language))


def _said_before(query: str, conversation: Sequence[SpokenLine], language: str) -> Iterator[str]:
    """Words of the questions before, the latest first, back to one that stands by itself; then names of the answer.

    Where a question names something in place of what was asked before, the one before goes on with it.
    """
    questions = [each.text[:MAX_QUERY] for each in conversation if each.is_user][-_QUESTIONS_BACK:]
    chain: list[str] = []
    for question in reversed(questions):
        chain.insert(0, question)
        if not is_follow_up(question, language):
            break
    asked = _joined(chain, language)
    contrast = None if language in _UNSPACED or not asked else contrasted(query, words_of(asked[0]), language)
    if contrast is not None:
        # Names of the answer are about what is no longer asked.
        said = set(words_of(query))
        yield from (each for each in _topic_words(" ".join(contrast.words), language) if each not in said)
        return
    for question in asked:
        yield from _topic_words(question, language)
    answers = [each.text[:MAX_QUERY] for each in conversation if not each.is_user]
    if answers:
        yield from (each.text for each in proper_names(answers[-1], language) if each.is_certain)


def _joined(chain: Sequence[str], language: str) -> list[str]:
    """Questions, the latest first, each of which goes on with the next; those that name another thing as one."""
    joined: list[str] = []
    for question in chain:
        contrast = contrasted(question, words_of(joined[0]), language) if joined and language not in _UNSPACED else None
        if contrast is None:
            joined.insert(0, question)
        else:
            joined[0] = " ".join(contrast.words)
    return joined


def _topic_words(question: str, language: str) -> Iterator[str]:
    """Words as they are written, without stop words; the whole where a language sets no words apart."""
    plain = _SIGNS.sub(" ", question)
    if language in _UNSPACED:
        yield " ".join(plain.split())
        return
    pronouns = back_references(language)
    for word in plain.split():
        small = word.lower()
        if not is_stop_word(small, language) and small not in pronouns:
            yield word
