"""A turn with arguments in their plain form: what the planner fills from words, and learns from examples."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.models.base import (
    Declaration,
    Entry,
    ExampleDialogue,
    FunctionCall,
    ModelTurn,
    PlainForm,
    ProviderReply,
)

_MOST_KEPT = 32
_Said = TypeVar("_Said", bound=Entry | ProviderReply)


@dataclass(frozen=True, slots=True)
class _Plain:
    declarations: tuple[Declaration, ...]
    examples: tuple[ExampleDialogue, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    given: _Plain
    plain: _Plain


class PlainTurns:
    """Turns in plain form. Equal declarations and examples give the same tuples, as what is learned of them is known by
    these."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], _Kept] = OrderedDict()

    def plain(self, turn: ModelTurn) -> ModelTurn:
        """The turn; itself where no function has a plain form."""
        forms = _forms(turn.declarations)
        if not forms:
            return turn
        found = self._known(turn, forms)
        conversation = tuple(_plain_entry(each, forms) for each in turn.conversation)
        return replace(turn, declarations=found.declarations, examples=found.examples, conversation=conversation)

    def _known(self, turn: ModelTurn, forms: Mapping[str, PlainForm]) -> _Plain:
        key, given = (id(turn.declarations), id(turn.examples)), _Plain(turn.declarations, turn.examples)
        kept = self._kept.get(key)
        if kept is None:
            equal = (each.plain for each in self._kept.values() if each.given == given)
            plain = next(equal, None) or _in_plain_form(given, forms)
            # It holds the tuples, so that their ids are not given to others meanwhile.
            kept = self._kept[key] = _Kept(given, plain)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return kept.plain


def given_arguments(turn: ModelTurn, name: str, values: JsonObject) -> JsonObject:
    """The arguments of a function of the turn, as it was before, for values in its plain form."""
    form = _forms(turn.declarations).get(name)
    return values if form is None else form.arguments(values)


def _forms(declarations: Sequence[Declaration]) -> Mapping[str, PlainForm]:
    return {each.name: each.plain for each in declarations if each.plain is not None}


def _in_plain_form(given: _Plain, forms: Mapping[str, PlainForm]) -> _Plain:
    examples = tuple(
        replace(each, entries=tuple(_plain_entry(entry, forms) for entry in each.entries)) for each in given.examples
    )
    shown = [entry for each in examples for entry in each.entries if isinstance(entry, FunctionCall)]
    declarations = tuple(
        each if each.plain is None else replace(each, input_schema=_shown_schema(each, each.plain, shown))
        for each in given.declarations
    )
    return _Plain(declarations, examples)


def _shown_schema(declaration: Declaration, form: PlainForm, shown: Sequence[FunctionCall]) -> JsonObject:
    """The form's schema; what an example does without is not required."""
    calls = [each.arguments for each in shown if each.name == declaration.name]
    required = [each for each in as_list(form.schema.get("required")) if all(each in call for call in calls)]
    return {**form.schema, "required": required}


def _plain_entry(entry: _Said, forms: Mapping[str, PlainForm]) -> _Said:
    if not isinstance(entry, FunctionCall) or entry.name not in forms:
        return entry
    return replace(entry, arguments=forms[entry.name].values(entry.arguments))
