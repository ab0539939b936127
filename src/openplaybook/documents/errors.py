"""The error of a text that is no description. It stands alone: the process that parses imports little else."""


class UnreadableDocument(Exception):
    """The text is neither JSON nor YAML, or not a description, or costs more than reading it may."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        """Counted from 1, where known."""
