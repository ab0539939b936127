"""Cloud Storage URIs (`gs://BUCKET/OBJECT`), for exports and imports that name one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.errors import BucketError, BucketUnavailable
from openplaybook.services.errors import invalid, precondition
from openplaybook.services.large_messages import done_aside
from openplaybook.services.object_patterns import MOST_STARS, TooManyStars, pattern_of
from openplaybook.services.operations import FinishedWork
from openplaybook.wire.messages import ApiMessage

_SCHEME = "gs://"
_MOST_SHOWN = 200
_MOST_WRITING = 4

Content: TypeAlias = Callable[[], AbstractAsyncContextManager[bytes]]
"""What an import reads, in memory while the block lasts."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object that a request names."""

    bucket: Bucket
    name: str
    where: str
    """The request's field."""
    reading: asyncio.Semaphore
    writing: asyncio.Semaphore

    @asynccontextmanager
    async def content(self) -> AsyncGenerator[bytes, None]:
        """Its bytes, while no other object is in memory. Raises `BucketError`."""
        async with self.reading:
            try:
                content = await self.bucket.read(self.name)
            except BucketError as error:
                error.field = self.where
                raise
            yield content

    async def write(self, content: bytes, response: ApiMessage) -> FinishedWork:
        """The work of an export: store these bytes, whether there was an object or not. Raises `BucketError`."""
        try:
            if self.writing.locked():
                raise BucketUnavailable("too many exports to buckets are running; try again")
            async with self.writing:
                await self.bucket.write(self.name, content)
        except BucketError as error:
            error.field = self.where
            raise
        return FinishedWork(response)


@dataclass(frozen=True, slots=True)
class Buckets:
    """The buckets that this server knows."""

    known: Mapping[str, Bucket] = field(default_factory=dict[str, Bucket])
    """By name."""
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    writing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_WRITING))
    """Each export is in memory as a whole until the bucket has it; those beyond are refused."""

    def object(self, uri: str, *, where: str) -> StoredObject:
        """The object of a URI, whether it exists or not; `where` is the request's field.

        Raises INVALID_ARGUMENT for what is no such URI, FAILED_PRECONDITION for a bucket that is not known.
        """
        known, name = self._bucket(uri, where)
        if fault := known.fault(name):
            raise invalid((where, f"{uri[:_MOST_SHOWN]!r} {fault}"))
        return StoredObject(known, name, where, self.reading, self.writing)

    async def matching(self, uri: str, *, where: str) -> Sequence[str]:
        """The URIs of the objects that a URI means: `*` stands for any characters but `/`, `**` for any, and a last `/`
        for all below. One without these means itself, whether it exists or not. Raises as `object`, and `BucketError`.
        """
        known, name = self._bucket(uri, where)
        try:
            pattern = pattern_of(name)
        except TooManyStars:
            raise invalid((where, f"{uri[:_MOST_SHOWN]!r} has more than {MOST_STARS} stars")) from None
        if pattern is None:
            return [uri]
        try:
            names = await known.names(pattern.beginning)
        except BucketError as error:
            error.field = where
            raise
        bucket = uri.removeprefix(_SCHEME).partition("/")[0]
        found = await done_aside(lambda: [*pattern.fitting(names)], sum(map(len, names)))
        return [f"{_SCHEME}{bucket}/{each}" for each in found]

    def _bucket(self, uri: str, where: str) -> tuple[Bucket, str]:
        """The bucket of a URI, and what stands behind it."""
        bucket, _, name = uri.removeprefix(_SCHEME).partition("/")
        if not uri.startswith(_SCHEME) or not bucket or not name:
            raise invalid((where, f"{uri[:_MOST_SHOWN]!r} is not a Cloud Storage URI; write gs://BUCKET/OBJECT"))
        known = self.known.get(bucket)
        if known is None:
            hint = (
                f"start the server with --bucket {bucket}=gs:, or {bucket}=FOLDER for a folder that stands for it; "
                "or leave the field empty and send the content itself"
            )
            raise precondition("UNKNOWN_BUCKET", f"{where}: the bucket {bucket} is not known here; {hint}")
        return known, name

    def content(self, uri: str, inline: bytes, *, where: str) -> Content:
        """What an import reads: the object where the request names one, else the bytes that it brings."""
        return self.object(uri, where=where).content if uri else _Inline(inline).content


@dataclass(frozen=True, slots=True)
class _Inline:
    bytes_: bytes

    @asynccontextmanager
    async def content(self) -> AsyncGenerator[bytes, None]:
        yield self.bytes_
