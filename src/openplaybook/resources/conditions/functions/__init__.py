"""The system functions, `$sys.func.NAME(…)`
(https://docs.cloud.google.com/dialogflow/cx/docs/reference/system-functions)."""

from openplaybook.resources.conditions.functions.collection_functions import LISTS
from openplaybook.resources.conditions.functions.date_functions import DATES
from openplaybook.resources.conditions.functions.number_functions import NUMBERS
from openplaybook.resources.conditions.functions.system_function import SystemFunction, pure
from openplaybook.resources.conditions.functions.text_functions import TEXTS

FUNCTIONS: dict[str, SystemFunction] = {
    **NUMBERS,
    **TEXTS,
    **LISTS,
    **DATES,
    "IF": pure(lambda arguments: arguments[1 if arguments[0] is True else 2], 3),
}
"""Those that are run; IF is chosen by the evaluator, which computes one of its values only."""

NOT_RUN = frozenset({"FILTER", "IS_DATE", "IS_PHONE_NUMBER", "TO_PHONE_NUMBER"})
"""Those that Dialogflow documents and that are not run here."""
