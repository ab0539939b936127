"""Hostile OpenAPI documents, as data."""

from collections.abc import Sequence

from tests.kit.hostile.bombs import BOMBS
from tests.kit.hostile.circles import CIRCLES
from tests.kit.hostile.documents import Hostile
from tests.kit.hostile.doublings import DOUBLINGS
from tests.kit.hostile.injections import INJECTIONS
from tests.kit.hostile.oddities import ODDITIES
from tests.kit.hostile.reaching import REACHING

HOSTILE: Sequence[Hostile] = (*BOMBS, *CIRCLES, *DOUBLINGS, *INJECTIONS, *ODDITIES, *REACHING)
