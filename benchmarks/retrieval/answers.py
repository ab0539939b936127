"""How good answers without a model are, how honest their levels, and how sure the override by FAQ.

    python -m benchmarks.retrieval.answers CORPUS [--sets extracts,refusals,grounding,faq]

CORPUS is a folder of test sets as BEIR keeps them (`corpus.jsonl.gz`, `queries.jsonl`, `qrels.tsv`). Passages are
found by BM25 in memory. Grounding is measured on claims that are built from passages: sentences as they stand and
reworded (supported), with a number or a name of elsewhere, and of another passage (not supported). Cuts are set on the
claims of every other passage; the table is of those that remain.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import tantivy

from openplaybook.retrieval.answers.back_references import negations
from openplaybook.retrieval.answers.base import GroundingLevel, Snippet
from openplaybook.retrieval.answers.extractive import best_sentence, extracted, joined
from openplaybook.retrieval.answers.faq import matching_entry
from openplaybook.retrieval.answers.groundedness import grounded, level_of
from openplaybook.retrieval.answers.number_words import month_of
from openplaybook.retrieval.answers.quantities import figures
from openplaybook.retrieval.answers.question_coverage import least_coverage, question_coverage
from openplaybook.retrieval.answers.terms import terms
from openplaybook.retrieval.base import SearchHit, WordCounts
from openplaybook.retrieval.language.analysis import analysis_of
from openplaybook.retrieval.language.sentences import sentences

_EXTRACT_SETS = ("xquad-en", "xquad-de", "xquad-es", "xquad-ru", "xquad-zh", "xquad-ar", "squad-pt")
_GROUNDING_SETS = ("xquad-en", "xquad-de", "xquad-es", "xquad-ru", "squad-pt")
_FOREIGN = (("xquad-en", "covidfaq-en"), ("xquad-en", "cranfield"), ("xquad-de", "covidfaq-de"))
_REFUSAL_SETS = ("xquad-en", "xquad-de", "xquad-es", "xquad-ru", "xquad-ar", "xquad-zh")
_FAQ_SETS = ("covidfaq-en", "covidfaq-de")
_MONTH_NAMES = {
    "en": "january february april june july august october november december",
    "de": "januar februar april juni juli august september oktober november dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto octubre noviembre diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
}
_MONTHS = {language: names.split() for language, names in _MONTH_NAMES.items()}
_UNITS_TURNED = {
    "en": (("million", "billion"), ("percent", "kilometres"), ("years", "months"), ("miles", "kilometres")),
    "de": (("Millionen", "Milliarden"), ("Prozent", "Kilometer"), ("Jahre", "Monate"), ("Meilen", "Kilometer")),
    "es": (("millones", "kilómetros"), ("años", "meses"), ("millas", "kilómetros"), ("por ciento", "años")),
    "pt": (("milhões", "bilhões"), ("anos", "meses"), ("milhas", "quilômetros"), ("por cento", "anos")),
    "ru": (("миллионов", "миллиардов"), ("лет", "месяцев"), ("миль", "километров"), ("процентов", "лет")),
}
_DENIED = {"en": ("is", "is not"), "de": ("ist", "ist nicht"), "es": ("es", "no es"), "pt": ("é", "não é"),
           "ru": ("был", "не был")}  # fmt: skip
_SEED = 20261126
_GROUNDING_PASSAGES = 120
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w.,]*\d)")
_CAPITAL = re.compile(r"(?<=[a-zа-яäöüßáéíóúñãõç,] )[^\W\d_a-zа-я][^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of a set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question of a set."""

    text: str
    answers: Sequence[str]
    relevant: frozenset[str]


class RetrievalSet:
    """A set, with an index of its passages in memory."""

    def __init__(self, folder: Path) -> None:
        self.language = str(json.loads((folder / "meta.json").read_text())["lang"])
        with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
            loaded = [json.loads(line) for line in lines]
        self.passages = {each["_id"]: Passage(each["_id"], each["title"], each["text"]) for each in loaded}
        self.queries = list(self._queries(folder))
        said = (set(terms(f"{each.title} {each.text}", self.language)) for each in self.passages.values())
        self.counts = WordCounts(len(self.passages), Counter(term for each in said for term in each))
        """How many passages have a term."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for field in ("title", "text"):
            builder.add_text_field(field, tokenizer_name="whitespace")
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer(heap_size=50_000_000, num_threads=1)
        analysis = analysis_of(self.language)
        for each in self.passages.values():
            title, text = analysis.indexed(each.title), analysis.indexed(each.text)
            writer.add_document(tantivy.Document(id=each.id, title=title, text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, text: str, most: int, among: Container[str] | None = None) -> list[Passage]:
        """The best passages by BM25, of those with an id in `among` where it is given."""
        terms = {each.term for each in analysis_of(self.language).asked(text)}
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(self._term(field, term), boost))
            for term in sorted(terms)
            for field, boost in (("title", 2.0), ("text", 1.0))
        ]
        searcher = self._index.searcher()
        wanted = most if among is None else len(self.passages)
        found = searcher.search(tantivy.Query.boolean_query(clauses), wanted).hits
        ids = (searcher.doc(address)["id"][0] for _, address in found)
        return [self.passages[id] for id in islice((id for id in ids if among is None or id in among), most)]

    def _term(self, field: str, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._index.schema, field, term)

    @staticmethod
    def _queries(folder: Path) -> Iterator[Query]:
        relevant: defaultdict[str, set[str]] = defaultdict(set)
        for line in (folder / "qrels.tsv").read_text().splitlines():
            query, document, _ = line.split("\t")
            relevant[query].add(document)
        for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
            each = json.loads(line)
            yield Query(each["text"], each.get("answers", ()), frozenset(relevant[each["_id"]]))


@dataclass(frozen=True, slots=True)
class ExtractFigures:
    """In which share of the questions an answer stands in what."""

    best: float
    """The best sentence."""
    extract: float
    """All sentences of the answer."""
    found: float
    """The passages that were found."""
    characters: float
    """Of an answer, on average."""


def extract_figures(test: RetrievalSet, queries: Sequence[Query]) -> ExtractFigures:
    """Answer questions without a model, from five passages each."""
    best = whole = found = size = 0
    for query in queries:
        snippets = _snippets(test, query)
        sentence = best_sentence(query.text, snippets, test.language, test.counts)
        text = joined(extracted(query.text, snippets, test.language, test.counts), test.language)
        best += sentence is not None and any(each in sentence.text for each in query.answers)
        whole += any(each in text for each in query.answers)
        found += any(each in snippet.text for each in query.answers for snippet in snippets)
        size += len(text)
    count = len(queries)
    return ExtractFigures(best / count, whole / count, found / count, size / count)


def _snippets(test: RetrievalSet, query: Query, among: Container[str] | None = None) -> list[Snippet]:
    return [Snippet(each.title, each.text, "") for each in test.search(query.text, 5, among)]


def measure_extracts(folder: Path) -> None:
    """Print in how many questions the answer stands in the best sentence, and in the extract; and how many questions
    on other matters are answered all the same."""
    print("set        best   extract  found   characters")
    for name in _EXTRACT_SETS:
        test = RetrievalSet(folder / name)
        each = extract_figures(test, test.queries)
        print(f"{name:10} {each.best:.3f}  {each.extract:.3f}    {each.found:.3f}   {each.characters:.0f}", flush=True)
    for name, other in _FOREIGN:
        test, questions = RetrievalSet(folder / name), RetrievalSet(folder / other).queries
        answered = sum(
            bool(extracted(each.text, _snippets(test, each), test.language, test.counts)) for each in questions
        )
        print(f"{name} asked what {other} knows: {answered / len(questions):.3f} answered")


def measure_refusals(folder: Path) -> None:
    """Print for several least coverages which share of the questions that passages answer is refused, and which share
    of the questions on other matters is answered: those of another set, and those on the articles of a set that are
    left out of a store."""
    print("\n                                     refused / falsely answered at a least coverage of")
    for name in _REFUSAL_SETS:
        test = RetrievalSet(folder / name)
        _print_refusals(f"{name}, half of its articles", test, *_by_article(test))
        for other in (each for mine, each in _FOREIGN if mine == name):
            foreign = [(each, _snippets(test, each)) for each in RetrievalSet(folder / other).queries]
            own = [(each, _snippets(test, each)) for each in test.queries]
            _print_refusals(f"{name}, asked {other}", test, own, foreign)


_Asked: TypeAlias = "tuple[Query, Sequence[Snippet]]"


def _by_article(test: RetrievalSet) -> tuple[Sequence[_Asked], Sequence[_Asked]]:
    """Questions to a store with every other article: those on its articles, and those on the others."""
    titles = dict.fromkeys(each.title for each in test.passages.values())
    inside = set(islice(titles, 0, None, 2))
    among = {each.id for each in test.passages.values() if each.title in inside}
    asked = [(each, _snippets(test, each, among)) for each in test.queries]
    own = [each for each in asked if each[0].relevant & among]
    return own, [each for each in asked if not each[0].relevant & among]


def _print_refusals(title: str, test: RetrievalSet, own: Sequence[_Asked], foreign: Sequence[_Asked]) -> None:
    held, strange = (
        [question_coverage(query.text, snippets, test.language, test.counts) for query, snippets in each]
        for each in (own, foreign)
    )
    chosen = least_coverage(test.language)
    cells = [
        f"{least:.2f} {sum(at < least for at in held) / len(held):.3f}/"
        f"{sum(at >= least for at in strange) / len(strange):.3f}{'*' if least == chosen else ''}"
        for least in sorted({chosen, 0.2, 0.3, 0.4, 0.5})
    ]
    print(f"{title:36} " + "  ".join(cells), flush=True)


@dataclass(frozen=True, slots=True)
class BuiltClaim:
    """A claim of which is known whether the facts support it."""

    kind: str
    text: str
    is_supported: bool


def built_claims(
    test: RetrievalSet, names: Callable[[Passage], Sequence[str]], rng: random.Random, most: int
) -> Iterator[tuple[int, Sequence[Passage], BuiltClaim]]:
    """Claims with their facts, five passages among which is the claim's own, and the number of the passage."""
    passages = list(test.passages.values())[:most]
    small = _small_words(passages, test.language)
    all_names = sorted({name for each in passages for name in names(each)})
    for number, passage in enumerate(passages):
        spans = [passage.text[start:end] for start, end in sentences(passage.text, test.language)]
        spans = [each for each in spans if 6 <= len(each.split()) <= 60]
        if not spans:
            continue
        sentence = rng.choice(spans)
        facts = test.search(sentence, 5)
        if passage not in facts:
            facts = [passage, *facts[:4]]
        everything = " ".join(each.text for each in facts)
        yield number, facts, BuiltClaim("as it stands", sentence, True)
        yield number, facts, BuiltClaim("reworded", _reworded(sentence, small, rng), True)
        elsewhere = rng.choice([each for each in passages if each not in facts])
        other = [elsewhere.text[start:end] for start, end in sentences(elsewhere.text, test.language)]
        yield number, facts, BuiltClaim("another passage", rng.choice(other), False)
        numbers = list(_NUMBER.finditer(sentence))
        if numbers:
            found = rng.choice(numbers)
            changed = sentence[: found.start()] + _other_number(found[0], rng) + sentence[found.end() :]
            yield number, facts, BuiltClaim("wrong number", changed, False)
            near = [each for each in _NUMBER.findall(passage.text) if each != found[0]]
            if near:
                changed = sentence[: found.start()] + rng.choice(near) + sentence[found.end() :]
                yield number, facts, BuiltClaim("number of nearby", changed, False)
        yield from ((number, facts, each) for each in _turned(sentence, test.language, rng))
        own = [each for each in names(passage) if re.search(rf"\b{re.escape(each)}\b", sentence)]
        if own:
            name = rng.choice(own)
            strange = [each for each in all_names if each not in everything]
            changed = re.sub(rf"\b{re.escape(name)}\b", rng.choice(strange), sentence)
            yield number, facts, BuiltClaim("wrong name", changed, False)


def _turned(sentence: str, language: str, rng: random.Random) -> Iterator[BuiltClaim]:
    """The sentence with another month, with another unit, and denied, where it has what that takes."""
    months = [found for found in re.finditer(r"[^\W\d_]+", sentence) if found[0].lower() in _MONTHS.get(language, ())]
    if months:
        found = rng.choice(months)
        other = rng.choice([each for each in _MONTHS[language] if each != found[0].lower()])
        other = other.capitalize() if found[0][0].isupper() else other
        yield BuiltClaim("wrong month", sentence[: found.start()] + other + sentence[found.end() :], False)
    for one, other in _UNITS_TURNED.get(language, ()):
        changed = re.sub(rf"(?<=\d ){one}\b", other, sentence, count=1)
        if changed != sentence:
            yield BuiltClaim("wrong unit", changed, False)
            break
    before, after = _DENIED.get(language, ("", ""))
    if before and f" {before} " in sentence and not negations(language) & set(sentence.lower().split()):
        yield BuiltClaim("denied", sentence.replace(f" {before} ", f" {after} ", 1), False)


def _small_words(passages: Sequence[Passage], language: str) -> Sequence[str]:
    """Words in small letters that may stand in a rewording: none that makes it false by itself."""
    found = {word for each in passages for word in re.findall(r"\b[^\W\d_]{4,}\b", each.text) if word.islower()}
    return sorted(
        word
        for word in found
        if word not in negations(language) and not figures(word, language).quantities and not month_of(word)
    )


def _reworded(sentence: str, small: Sequence[str], rng: random.Random) -> str:
    """The sentence with a quarter of its words in small letters replaced."""
    return re.sub(
        r"\b[^\W\d_A-ZА-Я]{4,}\b", lambda found: rng.choice(small) if rng.random() < 0.25 else found[0], sentence
    )


def _other_number(number: str, rng: random.Random) -> str:
    """A number of as many digits that is another one."""
    while True:
        changed = re.sub(r"\d", lambda _: str(rng.randrange(10)), number)
        if changed != number and (changed[0] != "0" or number[0] == "0" or len(number) == 1):
            return changed


def claim_scores(
    folder: Path, sets: Sequence[str], passages: int = _GROUNDING_PASSAGES
) -> list[tuple[str, int, BuiltClaim, float]]:
    """Language, passage, claim and score of claims built from so many passages of each set."""
    english = RetrievalSet(folder / "xquad-en")
    scores: list[tuple[str, int, BuiltClaim, float]] = []
    for name in sets:
        test = english if name == "xquad-en" else RetrievalSet(folder / name)
        rng = random.Random(_SEED)
        names = _shared_names(english) if test.language == "de" else _names
        for number, facts, claim in built_claims(test, names, rng, passages):
            texts = [f"{each.title}\n{each.text}" for each in facts]
            scores.append((test.language, number, claim, grounded(claim.text, texts, test.language).score))
    return scores


def measure_grounding(folder: Path) -> None:
    """Print how often claims of each level are supported, over all languages and for each."""
    scores = claim_scores(folder, _GROUNDING_SETS)
    _print_kinds(scores)
    for half, title in ((0, "on which the cuts were set"), (1, "held out")):
        _print_reliability([each for each in scores if each[1] % 2 == half], title)


def _names(passage: Passage) -> Sequence[str]:
    return sorted(set(_CAPITAL.findall(passage.text)))


def _shared_names(english: RetrievalSet) -> Callable[[Passage], Sequence[str]]:
    """Names of German passages: words with a capital that the same passage has in English, too."""
    return lambda passage: [each for each in _names(passage) if each in _names(english.passages[passage.id])]


def _print_kinds(scores: Sequence[tuple[str, int, BuiltClaim, float]]) -> None:
    print("\nshare of claims ≥ 0.6, and the scores at 5 %, 50 % and 95 %")
    for kind in dict.fromkeys(each[2].kind for each in scores):
        for language in dict.fromkeys(each[0] for each in scores):
            values = sorted(each[3] for each in scores if each[2].kind == kind and each[0] == language)
            if values:
                marks = " ".join(f"{values[int(len(values) * at)]:.2f}" for at in (0.05, 0.5, 0.95))
                share = sum(each >= 0.6 for each in values) / len(values)
                print(f"{kind:17} {language}  n {len(values):4}  {share:.3f}  {marks}")


def _print_reliability(scores: Sequence[tuple[str, int, BuiltClaim, float]], title: str) -> None:
    print(f"\nlevel       supported / claims, {title}")
    for language in ("all", *dict.fromkeys(each[0] for each in scores)):
        rows = [(level_of(score), claim.is_supported) for code, _, claim, score in scores if language in ("all", code)]
        total, supported = Counter(level for level, _ in rows), Counter(level for level, good in rows if good)
        cells = [
            f"{level.name} {supported[level]}/{total[level]} = {supported[level] / max(1, total[level]):.3f}"
            for level in reversed(GroundingLevel)
        ]
        print(f"{language:4} " + "  ".join(cells))


def measure_faq(folder: Path) -> None:
    """Print how many questions an entry overrides, and how many of these entries are the right ones."""
    print("\nset          questions  overridden  right   precision")
    for name in _FAQ_SETS:
        test = RetrievalSet(folder / name)
        overridden = right = 0
        for query in test.queries:
            passages = test.search(query.text, 10)
            hits = [SearchHit(each.id, 0, 1.0, each.title, "", each.text, question=each.title) for each in passages]
            match = matching_entry(query.text, hits, test.language)
            if match is not None:
                overridden += 1
                right += hits[match.position].document in query.relevant
        precision = right / max(1, overridden)
        print(f"{name:12} {len(test.queries):9}  {overridden:10}  {right:5}   {precision:.3f}")


_MEASURES = {
    "extracts": measure_extracts,
    "refusals": measure_refusals,
    "grounding": measure_grounding,
    "faq": measure_faq,
}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sets", default=",".join(_MEASURES))
    arguments = parser.parse_args()
    for name in arguments.sets.split(","):
        _MEASURES[name](arguments.corpus)


if __name__ == "__main__":
    main()
