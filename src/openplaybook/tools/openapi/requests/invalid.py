"""What can be wrong with a call, as opposed to with the description."""


class InvalidArguments(Exception):
    """The arguments do not fit; no request is made. The message is for the model."""
