"""When a playbook's instructions say that another one takes over: the words around its name."""

import re
from collections.abc import Iterable, Iterator, Sequence

from openplaybook.models.base import Declaration, DeclarationKind
from openplaybook.models.offline.language.tokenizer import fold, keys, sentences
from openplaybook.resources.compiled_forms import InstructionStep

_REFERENCE = re.compile(r"\$\{[^{}]*\}|\{@[^{}]*\}")
_PLAYBOOK = re.compile(r"(?:\$\{\s*(?:PLAYBOOK|AGENT)|\{@\s*AGENT)\s*:?([^{}]*)\}", re.IGNORECASE)
_SEPARATOR = re.compile(r"[;\n]|,? (?:and|or|but|und|oder|y|o|et|ou|e) (?=(?:if|when|for|wenn|falls|bei|si|para|se)\b)")
_SHORTEST_NAME = 4
_TELLS_NOTHING = keys(
    """user users customer customers caller client visitor person agent playbook task flow use call go transfer route
    invoke handle hand send pass switch start run delegate forward redirect continue proceed ask asks want wants wish
    say says said need needs request requests help about first then next step otherwise else always never only case
    conversation question questions issue something anything topic related matter respond answer
    benutzer nutzer kunde kunden kundin anrufer nutze verwende rufe wechsle leite weiter will wollen möchte fragt sagt
    usuario cliente usa llama pasa transfiere quiere pide pregunta dice
    utilisateur client utilise appelle passe transfère veut demande dit"""
)


def cues_of(instructions: Sequence[InstructionStep], declarations: Sequence[Declaration]) -> dict[str, frozenset[str]]:
    """Keys of the words with which instructions say when each playbook is meant, by the declaration's name.

    A playbook is named as `${PLAYBOOK: name}`, or by its plain name. What precedes the name in its sentence counts
    ("If a card is lost, go to …"); where that says nothing what follows it ("… handles lost cards"), and where the
    sentence is the name alone, the step above it.
    """
    names = {
        fold(each.reference): each.name
        for each in declarations
        if each.kind is DeclarationKind.PLAYBOOK and fold(each.reference)
    }
    cues: dict[str, frozenset[str]] = {}
    for name, telling in _cues(instructions, names, frozenset()) if names else ():
        cues[name] = cues.get(name, frozenset()) | telling
    return cues


def _cues(
    steps: Iterable[InstructionStep], names: dict[str, str], above: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for step in steps:
        for sentence in sentences(step.text):
            for clause in _SEPARATOR.split(sentence):
                yield from ((name, telling or above) for name, telling in _in_clause(clause, names))
        yield from _cues(step.steps, names, _telling(_REFERENCE.sub(" ", step.text)))


def _in_clause(clause: str, names: dict[str, str]) -> Iterator[tuple[str, frozenset[str]]]:
    places = _places(clause, names)
    begin = 0
    for number, (start, end, name) in enumerate(places):
        before = _telling(clause[begin:start])
        following = places[number + 1][0] if number + 1 < len(places) else len(clause)
        # Each name has the words before it, or each those behind it.
        yield name, before if places and _telling(clause[: places[0][0]]) else _telling(clause[end:following])
        begin = end


def _places(clause: str, names: dict[str, str]) -> list[tuple[int, int, str]]:
    references = [match.span() for match in _REFERENCE.finditer(clause)]
    places = [
        (match.start(), match.end(), names[fold(match[1])])
        for match in _PLAYBOOK.finditer(clause)
        if fold(match[1]) in names
    ]
    for spelling, name in names.items():
        if len(spelling) < _SHORTEST_NAME:
            continue
        pattern = r"[\W_]+".join(map(re.escape, spelling.split()))
        for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", clause, re.IGNORECASE):
            if not any(start <= match.start() < end for start, end in references):
                places.append((*match.span(), name))
    return sorted(places)


def _telling(text: str) -> frozenset[str]:
    return keys(_REFERENCE.sub(" ", text)) - _TELLS_NOTHING
