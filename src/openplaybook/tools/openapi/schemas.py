"""All that is shared by the operations of one document."""

from dataclasses import dataclass
from functools import cached_property

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.openapi.injection import Filler
from openplaybook.tools.openapi.visible import VisibleSchemas
from openplaybook.tools.schema.dialect import Direction


@dataclass(frozen=True)
class DocumentSchemas:
    """The schemas of a document, each view of them made when it is first needed."""

    root: JsonObject

    @cached_property
    def inputs(self) -> Definitions:
        """Schemas of what is sent."""
        return Definitions(self.root, Direction.INPUT)

    @cached_property
    def outputs(self) -> Definitions:
        """Schemas of what comes back."""
        return Definitions(self.root, Direction.OUTPUT)

    @cached_property
    def visible(self) -> VisibleSchemas:
        """Schemas of what is sent, as the model sees them."""
        return VisibleSchemas(self.inputs)

    @cached_property
    def filler(self) -> Filler:
        """Puts injected and default values in."""
        return Filler(self.inputs)
