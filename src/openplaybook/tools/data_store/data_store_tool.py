"""`DataStoreTool`: one action, which answers a question from stores."""

import asyncio
import sys
import time
from collections.abc import Sequence
from importlib import import_module

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import StoreSearch
from openplaybook.retrieval.errors import InvalidSearchConfig, RetrievalError
from openplaybook.tools.base import Action, Call, Failure, Outcome, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.data_store.signals import INVALID_SEARCH_CONFIG
from openplaybook.tools.data_store.tool_output import InvalidQuestion, Question, read_question
from openplaybook.tools.data_store.tool_settings import SearchToolSettings
from openplaybook.workers.errors import WorkError

MAX_S = 60.0
"""For one call, whatever its caller has left."""
UNAVAILABLE = "DATA_STORES_UNAVAILABLE"
_ANSWERS = "openplaybook.tools.data_store.store_answers"


class DataStoreTool(Tool):
    """Answers questions from its stores."""

    def __init__(
        self,
        action: Action,
        settings: SearchToolSettings,
        search: StoreSearch | None,
        kind: str = "data store tools",
        *,
        is_app: bool = False,
    ) -> None:
        """`kind` is what such tools are called in a sentence; `is_app`: outputs are as an app's tools give them,
        without a response code."""
        self._kind = kind
        self._action = action
        self._settings = settings
        self._search = search
        self._is_app = is_app

    def actions(self) -> Sequence[Action]:
        """The one action."""
        return (self._action,)

    def fault(self) -> str:
        """That nothing is searched here, where that is so."""
        return "" if self._search is not None else f"{self._kind} are not run"

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Search every store and answer.

        That nothing is found, or that an answer is not given, is a success that says so. Failures: INVALID_ARGUMENTS,
        NO_SUCH_DATA_STORE, DATA_STORES_UNAVAILABLE, INVALID_SEARCH_CONFIG, TIMEOUT, and the codes of what the engine
        raises.
        """
        seconds = min(context.timeout_s, MAX_S)
        try:
            question = read_question(call.arguments)
            if self._search is None:
                return Failure(UNAVAILABLE, f"{call.action.action} was not called: {self._kind} are not run here.")
            async with asyncio.timeout(seconds):
                return await self._answered(question, context, self._search, time.monotonic() + seconds)
        except InvalidQuestion as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        except InvalidSearchConfig as error:
            return Failure(INVALID_SEARCH_CONFIG, f"The search was not made. {error}.")
        except (RetrievalError, WorkError) as error:
            return Failure(error.code, f"The search failed: {error}.")
        except TimeoutError:
            return Failure("TIMEOUT", f"There was no answer from the data stores within {seconds:g} seconds.")

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them, where they are a question."""
        try:
            read_question(call.arguments)
        except InvalidQuestion as error:
            return Failure("INVALID_ARGUMENTS", str(error))
        return call.arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with a client's answer."""
        return await result_problems(action.output_schema, output)

    async def _answered(
        self, question: Question, context: ToolContext, search: StoreSearch, deadline: float
    ) -> Outcome:
        if _ANSWERS not in sys.modules:
            # It takes a while: others go on meanwhile.
            await asyncio.to_thread(import_module, _ANSWERS)
        # A server that asks no store does without the tables of words of many languages.
        from openplaybook.tools.data_store.store_answers import answered

        return await answered(question, context, search, self._settings, deadline, is_bare=self._is_app)
