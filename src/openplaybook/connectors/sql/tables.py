"""Tables as statements are made of them: columns by name, each with what it holds and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, TableClause

from openplaybook.connectors.base import DataType, EntityType, Field
from openplaybook.connectors.errors import UnknownName


@dataclass(frozen=True, slots=True)
class ColumnShape:
    """What the values of a column are, closer than their data type."""

    data_type: DataType
    most_characters: int | None = None
    digits: int | None = None
    """Of a decimal, all of them."""
    places: int | None = None
    """Of a decimal, behind the point."""
    smallest: int | None = None
    largest: int | None = None
    """Of a whole number."""
    values: tuple[str, ...] = ()
    element: "ColumnShape | None" = None
    """Of an array's elements."""
    is_comparable: bool = True
    """Whether the database compares and sorts such values."""
    is_inexact: bool = False
    """Whether the driver gives it with fewer digits than it has, unless it is widened."""
    is_ranked: bool = False
    """Whether the database orders its texts as they are listed, and compares them as texts, unless they are made such
    first: pages need one order."""


@dataclass(frozen=True, slots=True, eq=False)
class DatabaseColumn:
    """A column of a table."""

    field: Field
    shape: ColumnShape
    element: ColumnElement[object]
    """As it is written to."""
    expression: ColumnElement[object]
    """As it is read and compared."""

    @property
    def name(self) -> str:
        """Its name in the database."""
        return self.field.name


@dataclass(frozen=True, slots=True)
class DatabaseTable:
    """A table or a view."""

    entity_type: EntityType
    clause: TableClause
    columns: Mapping[str, DatabaseColumn]
    key: tuple[DatabaseColumn, ...]
    constraints: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Columns of the unique and check constraints that have a name."""
    referring: tuple[str, ...] = ()
    """Columns of foreign keys, also of those to tables that are not seen."""
    neighbours: frozenset[str] = frozenset()
    """Tables that a message about this one may name."""

    @property
    def name(self) -> str:
        """Name of the entity type."""
        return self.entity_type.name

    def column(self, name: str) -> DatabaseColumn:
        """A column by its name. Raises `UnknownName`."""
        if name not in self.columns:
            raise UnknownName(f"field of {self.name}", name, self.columns)
        return self.columns[name]
