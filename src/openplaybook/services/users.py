"""Who names a resource: found in stored JSON, and told in a sentence."""

from collections.abc import Callable, Sequence

from openplaybook.jsonvalues import JsonValue, as_list, as_object, loads
from openplaybook.storage.base import Record
from openplaybook.workers.lanes import AT_ONCE, DOCUMENTS


def holds(value: JsonValue, text: str) -> bool:
    """Whether a string anywhere in a JSON value is `text`."""
    if isinstance(value, dict):
        return any(holds(item, text) for item in as_object(value).values())
    if isinstance(value, list):
        return any(holds(item, text) for item in as_list(value))
    return value == text


async def matching_records(records: Sequence[Record], uses: Callable[[Record], bool]) -> list[Record]:
    """The records of which `uses` is true; those of large agents are read beside the event loop."""

    def work() -> list[Record]:
        return [record for record in records if uses(record)]

    return await DOCUMENTS.run(work) if sum(len(record.body) for record in records) > AT_ONCE else work()


def users_in_words(users: Sequence[Record]) -> str:
    """The users for a sentence: kind, display name and resource name of each."""
    return "; ".join(
        f"{user.kind.removeprefix('app_')} {as_object(loads(user.body)).get('displayName')!r} ({user.name})"
        for user in users
    )
