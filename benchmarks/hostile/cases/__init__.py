"""The cases, a file by what they are aimed at."""

from collections.abc import Mapping

from benchmarks.hostile.cases import (
    answers,
    bodies,
    code,
    connections,
    documents,
    packages,
    resources,
    streams,
    texts,
    values,
)
from benchmarks.hostile.cases.base import Case

_FILES = (documents, packages, values, bodies, connections, streams, resources, texts, answers, code)

CASES: Mapping[str, Case] = {case.name: case for file in _FILES for case in file.case.all}
"""Every case by its name."""

FIRST = (
    "yaml-colons-10k",
    "yaml-colons-15k",
    "yaml-questions-10k",
    "yaml-questions-15k",
    "yaml-eight-at-once",
    "package-yaml-questions",
    "package-eight-at-once",
    "result-pattern-9k",
    "result-pattern-30k",
    "result-any-of-300",
    "result-unique-30000",
    "bodies-20-of-95mb",
    "bodies-grpc-20-of-95mb",
    "body-lengths-that-lie",
    "body-chunked-endless",
    "file-15mb",
    "schema-5mb",
    "guardrails-500",
    "playbook-300k-brackets",
)
"""What once hurt: these are played alone before the others."""
