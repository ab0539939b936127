"""What goes wrong where texts are made into vectors.

EncoderError
├── EncoderUnusable     it cannot be had: a missing package or file, another form, a setting that names none
├── EncoderUnavailable  it does not answer now; the same may succeed later
└── EncoderRejected     it answered, and refuses what it was sent, or sent something else than vectors
"""


class EncoderError(Exception):
    """Texts have no vectors. The message is a sentence for an operator, and holds neither texts nor keys."""

    code = "ENCODER_ERROR"


class EncoderUnusable(EncoderError):
    """The encoder that was asked for cannot be had here."""

    code = "ENCODER_UNUSABLE"


class EncoderUnavailable(EncoderError):
    """The encoder does not answer, or has too much to do."""

    code = "ENCODER_UNAVAILABLE"

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        """Seconds after which it may be asked again, where it says so."""


class EncoderRejected(EncoderError):
    """The encoder refuses what it was sent, or answers with what cannot be used."""

    code = "ENCODER_REJECTED"
