"""What can be wrong with a recording.

RecordingError
├── UnreadableRecording   the file is missing, is no YAML, or holds something else
├── NothingToReplay       the recording lacks what the replay was asked to use
├── NoConversation        the session has no turn on record
├── ConversationTooLong   the session has more turns, or more secrets, than a recording takes
└── UnreadableTestCase    a test case that is none
"""

from typing import ClassVar


class RecordingError(Exception):
    """A recording cannot be used; the message says where and why."""

    code: ClassVar[str] = "RECORDING_ERROR"


class UnreadableRecording(RecordingError):
    """The file holds no recording."""

    code = "UNREADABLE_RECORDING"


class NothingToReplay(RecordingError):
    """There are no model replies in it, and no model was given."""

    code = "NOTHING_TO_REPLAY"


class NoConversation(RecordingError):
    """There is nothing to record."""

    code = "NO_CONVERSATION"


class ConversationTooLong(RecordingError):
    """A recording of it would not begin where the conversation begins, or take too long to make."""

    code = "CONVERSATION_TOO_LONG"


class UnreadableTestCase(RecordingError):
    """A test case of a package is not what Dialogflow exports."""

    code = "UNREADABLE_TEST_CASE"
