"""The few words that people put around something to be computed."""

import re

_BEFORE = re.compile(
    r"(?:(?:please|kindly|can you|could you|now)[,\s]+)*"
    r"(?:(?:what(?:'s|\s+is|\s+are)|how\s+much\s+is|calculate|compute|evaluate|work\s+out|find|give\s+me|tell\s+me"
    r"|determine)\s*:?\s+)?"
    r"(?:the\s+(?:result|value)\s+of\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:[\s,]+please)?[\s?.]*", re.IGNORECASE)
_MAX_AFTER = 20
_TYPOGRAPHY = str.maketrans({"×": "*", "÷": "/", "−": "-", "·": "*", "“": '"', "”": '"', "’": "'"})


def bare(query: str) -> str:
    """What is left of a query when the words around it are taken away, typographic signs written as Python's."""
    text = query.strip().translate(_TYPOGRAPHY)
    found = _BEFORE.match(text)
    text = text[found.end() :] if found else text
    after = next(
        filter(None, (_AFTER.fullmatch(text, at) for at in range(max(len(text) - _MAX_AFTER, 0), len(text)))), None
    )
    return text[: after.start()] if after else text
