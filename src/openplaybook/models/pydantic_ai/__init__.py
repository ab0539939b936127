"""`google:NAME`, `anthropic:NAME` and `pydantic-ai:PROVIDER:NAME`: every provider of pydantic-ai's model layer.

Only its `Model` classes are used, never its agent loop, and the retries of the SDKs beneath are off: `models.wrappers`
counts. Needs the extra `openplaybook[models]`; importing this package costs more than a second.

    messages   a `ModelTurn` as message history
    response   the answer as a `ModelReply`
    failures   its exceptions as `ModelError`s
    model      the `Model`
    create     models by name
"""
