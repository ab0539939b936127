"""Why an object of a bucket cannot be read or written.

BucketError
├── ObjectMissing        the bucket has no such object
├── ObjectTooLarge       it is larger than an import may be
├── BucketDenied         Cloud Storage does not let this server's account at it
├── BucketUnusable       the bucket does not exist, or cannot be used in this way
└── BucketUnavailable    the bucket does not respond now
"""

from typing import ClassVar


class BucketError(Exception):
    """Nothing was read or written. The message names the object, and holds no token and no path of this machine."""

    code: ClassVar[str] = "BUCKET_ERROR"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.field = ""
        """Where the request names the object; empty where it is not known."""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class ObjectMissing(BucketError):
    """The bucket has no such object."""

    code = "OBJECT_NOT_FOUND"


class ObjectTooLarge(BucketError):
    """The object is larger than an import may be."""

    code = "OBJECT_TOO_LARGE"


class BucketDenied(BucketError):
    """The account of this server may not do this."""

    code = "BUCKET_DENIED"


class BucketUnusable(BucketError):
    """Something has to be changed by somebody: the bucket, its name, or this server's credentials."""

    code = "BUCKET_UNUSABLE"


class BucketUnavailable(BucketError):
    """The same request may succeed later."""

    code = "BUCKET_UNAVAILABLE"
