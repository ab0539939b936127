"""Texts as the numbers of their subwords, by a folder's `tokenizer.json` (the library `tokenizers`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol, cast

from openplaybook.encoders.errors import EncoderUnusable

FILE: Final = "tokenizer.json"


class _Encoding(Protocol):
    @property
    def ids(self) -> Sequence[int]: ...


class _Tokenizer(Protocol):
    """What is used of the library's class, which has no types of its own."""

    def no_padding(self) -> None: ...

    def enable_truncation(self, max_length: int) -> None: ...

    def encode_batch(self, input: Sequence[str]) -> Sequence[_Encoding]: ...


class SubwordTokens:
    """Reads texts up to a number of tokens, the marks at begin and end included."""

    def __init__(self, folder: Path, most: int) -> None:
        """Raises `EncoderUnusable` where the file is missing or cannot be read."""
        # Native code, needed by child processes alone.
        from tokenizers import Tokenizer

        try:
            self._tokenizer = cast(_Tokenizer, Tokenizer.from_file(str(folder / FILE)))
        except Exception as error:
            # The library raises bare exceptions.
            raise EncoderUnusable(f"{folder / FILE} cannot be read: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(most)

    def read(self, texts: Sequence[str]) -> Sequence[Sequence[int]]:
        """The tokens of each text; what is too long for the model is left out."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
