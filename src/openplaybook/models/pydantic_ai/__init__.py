"""`google:NAME`, `anthropic:NAME` and `pydantic-ai:PROVIDER:NAME`: every provider of pydantic-ai's model layer.

Only its `Model` classes are used, never its agent loop, and the retries of the SDKs beneath are off: `models.wrappers`
counts. Needs the extra `openplaybook[models]`; importing this package costs more than a second.

    message_history     a `ModelTurn` as message history
    schema_expansion    schemas without references, for models that take none
    provider_response   the answer as a `ModelReply`
    provider_failures   its exceptions as `ModelError`s
    pydantic_ai_model   the `Model`
    provider_models     models by name
"""
