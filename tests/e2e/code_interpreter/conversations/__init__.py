"""The conversations, by what they are about."""

from collections.abc import Sequence

from tests.e2e.code_interpreter.conversation import Conversation
from tests.e2e.code_interpreter.conversations.formats import FORMATS
from tests.e2e.code_interpreter.conversations.mathematics import MATHEMATICS
from tests.e2e.code_interpreter.conversations.mistakes import MISTAKES
from tests.e2e.code_interpreter.conversations.plots import PLOTS
from tests.e2e.code_interpreter.conversations.several_turns import SEVERAL_TURNS
from tests.e2e.code_interpreter.conversations.statistics import STATISTICS
from tests.e2e.code_interpreter.conversations.tables import TABLES

CONVERSATIONS: Sequence[Conversation] = (
    *TABLES,
    *FORMATS,
    *PLOTS,
    *STATISTICS,
    *MATHEMATICS,
    *SEVERAL_TURNS,
    *MISTAKES,
)
