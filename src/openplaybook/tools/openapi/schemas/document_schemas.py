"""All that is shared by the operations of one document."""

from dataclasses import dataclass
from functools import cached_property

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description import swagger
from openplaybook.tools.openapi.requests.request_parameters import Known
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.filler import Filler
from openplaybook.tools.openapi.schemas.visible_schemas import VisibleSchemas
from openplaybook.tools.schema.budget import Budget
from openplaybook.tools.schema.dialect import SESSION_ID, Direction


@dataclass(frozen=True)
class DocumentSchemas:
    """The schemas of a document, each view of them made when it is first needed."""

    root: JsonObject

    @cached_property
    def inputs(self) -> Definitions:
        """Schemas of what is sent."""
        return Definitions(self.root, Direction.INPUT)

    @cached_property
    def parameters(self) -> Known:
        """Parameters that were compiled, since operations share them."""
        return {}

    @cached_property
    def upgraded(self) -> swagger.Known:
        """Parameters of OpenAPI 2.0 in the terms of OpenAPI 3."""
        return {}

    @cached_property
    def outputs(self) -> Definitions:
        """Schemas of what comes back."""
        return Definitions(self.root, Direction.OUTPUT)

    @cached_property
    def visible(self) -> VisibleSchemas:
        """Schemas of what is sent, as the model sees them."""
        return VisibleSchemas(self.inputs, self.filler)

    def visible_beside(self, filled: frozenset[str]) -> VisibleSchemas:
        """Schemas of what is sent, as the model sees them while these sources have a value."""
        return VisibleSchemas(self.inputs, self.filler, filled | {SESSION_ID})

    @cached_property
    def servers(self) -> dict[str, str]:
        """The base URL of the document, by the one that the settings give in its place."""
        return {}

    @cached_property
    def budget(self) -> Budget:
        """Cuts what the model sees to a size."""
        return Budget()

    @cached_property
    def filler(self) -> Filler:
        """Puts injected and default values in."""
        return Filler(self.inputs)
