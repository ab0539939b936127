"""Cloud Storage in memory, as its JSON API shows it, in small pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject
from tests.kit.strict_google import GoogleAsked, error, partial, reply

_Work = Callable[[GoogleAsked, str, str], HttpResponse]
_PAGE = 3
"""Objects on a page, however many are asked for."""


@dataclass(slots=True)
class HeldObjects:
    """Buckets with objects."""

    buckets: dict[str, dict[str, bytes]]
    metadata: dict[tuple[str, str], JsonObject] = field(default_factory=dict[tuple[str, str], JsonObject])
    generation: int = 1_700_000_000_000_000

    def put(self, bucket: str, name: str, data: bytes, content_type: str = "text/plain") -> JsonObject:
        """An object."""
        self.generation += 1
        self.buckets[bucket][name] = data
        self.metadata[bucket, name] = {
            "kind": "storage#object",
            "bucket": bucket,
            "name": name,
            "size": str(len(data)),
            "contentType": content_type,
            "generation": str(self.generation),
            "timeCreated": "2026-11-26T10:00:00.000Z",
        }
        return self.metadata[bucket, name]

    def answer(self, asked: GoogleAsked) -> HttpResponse:
        """A reply."""
        if asked.path[0] == "upload":
            return self._guarded(asked, asked.path[4], asked.query["name"], self._upload)
        parts = asked.path[2:]
        if parts == ["b"]:
            return self._list_buckets(asked)
        if parts[1] not in self.buckets:
            return error(404, "The specified bucket does not exist.")
        if len(parts) == 2:
            return reply(partial({"name": parts[1], "location": "EU"}, asked.query.get("fields", "")))
        if len(parts) == 3:
            return self._list(asked, parts[1])
        if parts[3] not in self.buckets[parts[1]]:
            return error(404, f"No such object: {parts[1]}/{parts[3]}")
        return self._one(asked, parts)

    def _one(self, asked: GoogleAsked, parts: Sequence[str]) -> HttpResponse:
        bucket, name = parts[1], parts[3]
        if asked.method == "DELETE":
            del self.buckets[bucket][name]
            return HttpResponse(204, (), b"", False, 0.001)
        if asked.method == "PATCH":
            self.metadata[bucket, name] |= asked.json
        elif asked.method == "POST" and parts[4] == "moveTo":
            return self._guarded(asked, bucket, parts[6], lambda *to: self._move(bucket, name, *to))
        elif asked.method == "POST":
            return self._guarded(asked, parts[6], parts[8], lambda *to: self._rewrite(bucket, name, *to))
        elif asked.query.get("alt") == "media":
            kind = str(self.metadata[bucket, name]["contentType"])
            return HttpResponse(200, (("Content-Type", kind),), self.buckets[bucket][name], False, 0.001)
        return reply(partial(self.metadata[bucket, name], asked.query.get("fields", "")))

    def _guarded(self, asked: GoogleAsked, bucket: str, name: str, work: _Work) -> HttpResponse:
        if asked.query.get("ifGenerationMatch") == "0" and name in self.buckets[bucket]:
            return error(412, "At least one of the pre-conditions you specified did not hold.")
        return work(asked, bucket, name)

    def _upload(self, asked: GoogleAsked, bucket: str, name: str) -> HttpResponse:
        assert asked.query["uploadType"] == "media"
        return reply(self.put(bucket, name, asked.body, asked.headers["content-type"]))

    def _move(self, bucket: str, name: str, asked: GoogleAsked, _: str, target: str) -> HttpResponse:
        return reply(self.put(bucket, target, self.buckets[bucket].pop(name)))

    def _rewrite(self, bucket: str, name: str, asked: GoogleAsked, to: str, target: str) -> HttpResponse:
        """In two steps."""
        if "rewriteToken" not in asked.query:
            return reply({"kind": "storage#rewriteResponse", "done": False, "rewriteToken": "t"})
        return reply({"done": True, "resource": self.put(to, target, self.buckets[bucket][name])})

    def _list_buckets(self, asked: GoogleAsked) -> HttpResponse:
        assert asked.query["project"]
        names = sorted(self.buckets)
        start = int(asked.query.get("pageToken", "0"))
        page: JsonObject = {"items": [{"name": name, "location": "EU"} for name in names[start : start + 1]]}
        page |= {"nextPageToken": str(start + 1)} if start + 1 < len(names) else {}
        return reply(partial(page, asked.query.get("fields", "")))

    def _list(self, asked: GoogleAsked, bucket: str) -> HttpResponse:
        names = sorted(
            name
            for name in self.buckets[bucket]
            if name >= asked.query.get("startOffset", "") and name.startswith(asked.query.get("prefix", ""))
        )
        start = int(asked.query.get("pageToken", "0"))
        end = start + min(int(asked.query["maxResults"]), _PAGE)
        page: JsonObject = {"items": [self.metadata[bucket, name] for name in names[start:end]]}
        page |= {"nextPageToken": str(end)} if end < len(names) else {}
        return reply(partial(page, asked.query.get("fields", "")))
