"""What is worth a look in a schema that was written."""

_MAX = 100


class Remarks:
    """Sentences in the order they came up, each once, at most a hundred."""

    def __init__(self) -> None:
        self._sentences: dict[str, None] = {}
        self._conflicts: dict[str, None] = {}

    def add(self, sentence: str) -> None:
        """Remark on something."""
        self._sentences[sentence] = None

    def widened(self, where: str, what: str) -> None:
        """Remark that something known did not hold for the samples."""
        sentence = f"{where}: {what}."
        self._sentences[sentence] = self._conflicts[sentence] = None

    @property
    def sentences(self) -> list[str]:
        """All remarks, cut with a note."""
        listed = list(self._sentences)
        return listed if len(listed) <= _MAX else [*listed[:_MAX], f"… and {len(listed) - _MAX} more remarks."]

    @property
    def conflicts(self) -> list[str]:
        """Those on what did not hold."""
        return list(self._conflicts)
