"""What of a condition goes to the system, as parameters and as text, and what is left to be tried here."""

from dataclasses import dataclass, field, replace

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.normal_form import all_of, conjuncts, like_kind, normal
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Literal,
    Membership,
    columns_of,
    tests_of,
)
from openplaybook.connectors.rest.languages.grammar import Grammar, Inexpressible, NamedColumn
from openplaybook.connectors.rest.languages.known_languages import GRAMMARS, search_grammar
from openplaybook.connectors.rest.manifest.list_model import FilterManifest, FilterParameter, ListManifest
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.manifest.placeholders import text_placeholders
from openplaybook.connectors.rest.values import literal_text, literal_value

_CRITERIA = {
    ComparisonOperator.EQUAL: "eq",
    ComparisonOperator.UNEQUAL: "neq",
    ComparisonOperator.LESS: "lt",
    ComparisonOperator.LESS_OR_EQUAL: "lteq",
    ComparisonOperator.GREATER: "gt",
    ComparisonOperator.GREATER_OR_EQUAL: "gteq",
}


@dataclass(slots=True)
class PushedCondition:
    """A condition, taken apart."""

    scope: dict[str, str] = field(default_factory=dict[str, str])
    """Column → value, of the placeholders in the address."""
    parameters: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    text: str = ""
    """In the language of the list."""
    left: Condition | None = None
    """To be tried here."""
    fixed: set[str] = field(default_factory=set[str])
    """Columns of the tests that went to the system."""
    count: int = 0
    """Tests that went to the system."""


def pushed(condition: Condition | None, listing: ListManifest, fields: dict[str, RestField]) -> PushedCondition:
    """A condition for one way to list entities with these fields."""
    made = PushedCondition()
    terms = list(conjuncts(None if condition is None else normal(condition)))
    terms = [term for term in terms if not _took_scope(term, listing, fields, made)]
    terms = [term for term in terms if not _took_parameter(term, listing.filter, fields, made)]
    if listing.filter.language == "searchcriteria":
        terms = _criteria(terms, listing.filter, fields, made)
    elif listing.filter.language:
        terms = _in_language(terms, listing.filter, fields, made)
    made.left = all_of(tuple(terms))
    return made


def _addressing(listing: ListManifest) -> list[str]:
    return [listing.http.path, listing.filter.statement]


def needed_columns(listing: ListManifest, fields: dict[str, RestField]) -> list[str]:
    """Columns that a condition must fix, because the address or the text of the list has them."""
    return [name for name in text_placeholders([*_addressing(listing)]) if name in fields]


def grammar_of(manifest: FilterManifest) -> Grammar | None:
    """The grammar of a filter's language; None without one."""
    return search_grammar(manifest.syntax) if manifest.syntax is not None else GRAMMARS.get(manifest.language)


def _took(term: Condition, made: PushedCondition) -> bool:
    made.fixed |= set(columns_of(term))
    made.count += 1
    return True


def _took_scope(term: Condition, listing: ListManifest, fields: dict[str, RestField], made: PushedCondition) -> bool:
    if not isinstance(term, ColumnComparison) or term.operator is not ComparisonOperator.EQUAL:
        return False
    is_in_address = term.column in text_placeholders([*_addressing(listing), dict(listing.params)])
    if not is_in_address or term.column in made.scope or term.column not in fields:
        return False
    made.scope[term.column] = literal_text(literal_value(fields[term.column], term.value))
    return _took(term, made)


def _took_parameter(
    term: Condition, manifest: FilterManifest, fields: dict[str, RestField], made: PushedCondition
) -> bool:
    taken = {name for name, _ in made.parameters}
    for parameter in manifest.parameters:
        if parameter.param in taken or parameter.column not in fields:
            continue
        pairs = _pairs(term, parameter, fields[parameter.column])
        if pairs:
            made.parameters += pairs
            # Of a loose parameter the system gives what meets the test, and more: it is tried here, too.
            return _took(term, made) and not parameter.is_loose
    return False


def _pairs(term: Condition, parameter: FilterParameter, field: RestField) -> list[tuple[str, str]]:
    """Name and value for a test that a parameter stands for; empty for any other."""
    kind, column, values = _kind_of(term)
    if column != parameter.column:
        return []
    if kind == "=" and parameter.operator == "in":
        kind = "in"
    if kind != parameter.operator:
        return []
    texts = [literal_text(literal_value(field, value)) for value in values] or [""]
    if kind == "in" and parameter.joint:
        if any(parameter.joint in text for text in texts):
            return []
        texts = [parameter.joint.join(texts)]
    return [(parameter.param, parameter.template.replace("{value}", text)) for text in texts]


def _kind_of(term: Condition) -> tuple[str, str, tuple[Literal, ...]]:
    """Operator, column and values of a test, as parameters name them; an empty operator for anything else."""
    if isinstance(term, ColumnComparison):
        return term.operator.value, term.column, (term.value,)
    if isinstance(term, Membership):
        return "in", term.column, term.values
    if isinstance(term, Likeness):
        kind, text = like_kind(term)
        return kind, term.column, (text,)
    if isinstance(term, Absence):
        return "null", term.column, ()
    if isinstance(term, ConditionNegation) and isinstance(term.term, Absence):
        return "not_null", term.term.column, ()
    return "", "", ()


def _named(
    column: str, manifest: FilterManifest, fields: dict[str, RestField], grammar: Grammar | None = None
) -> NamedColumn:
    field = fields.get(column)
    is_known = field is not None and field.field.is_filterable
    if not is_known and column.partition(".")[0] not in fields:
        raise Inexpressible
    data_type = field.field.data_type if field is not None else DataType.OTHER
    own = grammar.named(field) if grammar is not None and field is not None else column
    return NamedColumn(manifest.columns.get(column, own), data_type)


def _in_language(
    terms: list[Condition], manifest: FilterManifest, fields: dict[str, RestField], made: PushedCondition
) -> list[Condition]:
    grammar = grammar_of(manifest)
    said: list[Condition] = []
    left: list[Condition] = []
    if grammar is None:
        return terms
    for term in terms:
        try:
            _check_allowed(term, manifest)
            own = _in_system_values(term, fields)
            grammar.written(own, lambda column: _named(column, manifest, fields, grammar))
        except Inexpressible:
            left.append(term)
        else:
            said.append(own)
            _took(term, made)
    whole = all_of(tuple(said))
    if whole is not None:
        made.text = grammar.written(whole, lambda column: _named(column, manifest, fields, grammar))
    return left


def _check_allowed(term: Condition, manifest: FilterManifest) -> None:
    """Raises `Inexpressible` for a test that `only` or `lacks` leaves out."""
    if any(_kind_of(test)[0] in manifest.lacks for test in tests_of(term)):
        raise Inexpressible
    if not manifest.only:
        return
    allowed = {each.partition(" ")[0]: each.partition(" ")[2].split() for each in manifest.only}
    for test in tests_of(term):
        operators = allowed.get(test.column)
        if operators is None or (operators and _kind_of(test)[0] not in operators):
            raise Inexpressible


def _in_system_values(term: Condition, fields: dict[str, RestField]) -> Condition:
    """The same with values in the system's way, such as moments as seconds."""
    if isinstance(term, ColumnComparison) and term.column in fields:
        return ColumnComparison(term.column, term.operator, literal_value(fields[term.column], term.value))
    if isinstance(term, Membership) and term.column in fields:
        return Membership(term.column, tuple(literal_value(fields[term.column], each) for each in term.values))
    if isinstance(term, ConditionNegation):
        return ConditionNegation(_in_system_values(term.term, fields))
    if isinstance(term, ConditionConjunction | ConditionDisjunction):
        return replace(term, terms=tuple(_in_system_values(each, fields) for each in term.terms))
    return term


def _criteria(
    terms: list[Condition], manifest: FilterManifest, fields: dict[str, RestField], made: PushedCondition
) -> list[Condition]:
    """Magento's search criteria: groups that must all be met, of alternatives each."""
    left: list[Condition] = []
    group = 0
    for term in terms:
        alternatives = term.terms if isinstance(term, ConditionDisjunction) else (term,)
        try:
            _check_allowed(term, manifest)
            filters = [_criterion(each, manifest, fields) for each in alternatives]
        except Inexpressible:
            left.append(term)
            continue
        for index, (column, kind, value) in enumerate(filters):
            base = f"{manifest.param or 'searchCriteria'}[filterGroups][{group}][filters][{index}]"
            pairs = (("field", column), ("conditionType", kind), ("value", value))
            made.parameters += [(f"{base}[{name}]", text) for name, text in pairs]
        group += 1
        _took(term, made)
    return left


def _criterion(term: Condition, manifest: FilterManifest, fields: dict[str, RestField]) -> tuple[str, str, str]:
    is_negated = isinstance(term, ConditionNegation)
    test = term.term if isinstance(term, ConditionNegation) else term
    if not isinstance(test, ColumnComparison | Membership | Absence | Likeness):
        raise Inexpressible
    name = _named(test.column, manifest, fields).name
    if isinstance(test, ColumnComparison):
        return name, _CRITERIA[test.operator], literal_text(literal_value(fields[test.column], test.value))
    if isinstance(test, Absence):
        return name, "notnull" if is_negated else "null", "1"
    if isinstance(test, Likeness):
        return name, "nlike" if is_negated else "like", test.pattern
    texts = [literal_text(literal_value(fields[test.column], each)) for each in test.values]
    if any("," in text for text in texts):
        raise Inexpressible
    return name, "nin" if is_negated else "in", ",".join(texts)
