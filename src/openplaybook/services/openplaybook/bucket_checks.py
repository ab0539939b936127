"""What doctor says about the buckets of exports and imports."""

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.errors import BucketError
from openplaybook.services.openplaybook.doctor_checks import Check


async def check_bucket(name: str, bucket: Bucket) -> Check:
    """Whether objects of a bucket can be read and written."""
    try:
        await bucket.check()
    except BucketError as error:
        return Check("bucket", False, f"{name}: {error}", "correct bucket, or what the server's account may do there")
    return Check("bucket", True, f"{name}: {bucket.about}")
