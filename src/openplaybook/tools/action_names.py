"""Names a model can call: `[A-Za-z0-9_-]{1,64}`, unique, and the same whatever else changes around them."""

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from unicodedata import combining, normalize

from openplaybook.tools.base import Action

MAX_LENGTH = 64

_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]+")
_HASH_LENGTH = 8


def legal_name(text: str) -> str:
    """`text` as a legal name: accents are dropped, what else is illegal becomes `_`.

    What is too long is cut, and it, or a name of which nothing is left, ends in a hash of the whole.
    """
    plain = text if text.isascii() else "".join(char for char in normalize("NFKD", text) if not combining(char))
    legal = _ILLEGAL.sub("_", plain).strip("_")
    if not legal:
        return _hashed("tool", text)
    return legal if len(legal) <= MAX_LENGTH else _hashed(legal, text)


def legal_names(originals: Sequence[str], keys: Sequence[str]) -> list[str]:
    """One legal name for each of `originals`, all different, in their order.

    `keys` tell equal originals apart (an operation's method and path) and must be unique. Where two originals come to
    the same name, one that is legal as it stands and occurs once keeps it; to every other its key is added, so a name
    does not depend on the order. A hash of the key stands in its place where even that is taken.
    """
    wanted = [legal_name(original) for original in originals]
    counts = Counter(wanted)
    occurrences = Counter(originals)
    telling = [
        name if counts[name] == 1 or (name == original and occurrences[original] == 1) else legal_name(f"{name}_{key}")
        for name, original, key in zip(wanted, originals, keys, strict=True)
    ]
    taken = Counter([*telling, *counts])

    def settled(name: str, name_with_key: str, original: str, key: str) -> str:
        return (
            name_with_key if name == name_with_key or taken[name_with_key] == 1 else _hashed(name, f"{original}\0{key}")
        )

    return list(map(settled, wanted, telling, originals, keys))


def unique_names(actions: Sequence[Action]) -> dict[str, Action]:
    """The actions of several tools by model-facing name, in their order.

    An action keeps its own name where no other tool has it, else it is called `<tool>_<action>`; where even that is
    taken, a hash of the tool's resource name is added.
    """
    counts = Counter(action.name for action in actions)
    names = [
        action.name if counts[action.name] == 1 else legal_name(f"{action.tool_display_name}_{action.name}")
        for action in actions
    ]
    again = Counter(names)
    return {
        name if again[name] == 1 or counts[action.name] == 1 else _hashed(name, f"{action.tool}\0{action.name}"): action
        for name, action in zip(names, actions, strict=True)
    }


def _hashed(name: str, text: str) -> str:
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    return f"{name[: MAX_LENGTH - _HASH_LENGTH - 1]}_{digest}"
