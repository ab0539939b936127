"""What every store demands of a turn that ends."""

from openplaybook.storage.base import TurnState


def check_end(state: TurnState, response: bytes | None, session_state: bytes | None) -> None:
    """Raises `ValueError` for what no ended turn is."""
    if state is TurnState.RUNNING:
        raise ValueError("a turn ends DONE, STOPPED or FAILED, not RUNNING")
    if state is TurnState.DONE and response is None:
        raise ValueError("a turn that is DONE has a response")
    if state is TurnState.STOPPED and response is not None:
        raise ValueError("a turn that was STOPPED has no response")
    if state is TurnState.FAILED and session_state is not None:
        raise ValueError("a turn that FAILED leaves the session as it was")
