"""Conversations with a real WordPress behind connector tools: an agent writes, finds, counts and withdraws posts."""

from base64 import b64encode
from collections.abc import Iterator
from itertools import count

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from tests.e2e.kit.rest import LOCATION, Rest, words
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.studio import made
from tests.e2e.test_connector_conversations import finished
from tests.kit.wordpress import USER, WordpressSite, running_wordpress

pytestmark = pytest.mark.proof
BLOG = f"{LOCATION}/connections/blog"
SCRIPT = r"""
rules:
  - when: {user: {matches: '^write (?P<title>.+)$'}}
    reply: {calls: [{name: Blog.create_posts, arguments: {title: '{{match.title}}', status: draft}}]}
  - when: {user: {matches: '^publish (?P<title>.+)$'}}
    reply:
      calls: [{name: Blog.update_posts, arguments: {filter: "title = '{{match.title}}'", status: publish}}]
  - when: {user: {matches: '^find (?P<word>\w+)$'}}
    reply:
      calls: [{name: Blog.list_posts, arguments: {filter: "search = '{{match.word}}' AND status = 'publish'"}}]
  - when: {user: {matches: '^how many (?P<status>\w+)$'}}
    reply:
      calls:
        - name: Blog.ExecuteCustomQuery
          arguments: {query: 'SELECT COUNT(*) AS n FROM posts WHERE status = ?', queryParameters: ['{{match.status}}']}
  - when: {user: {equals: forget everything}}
    reply: {calls: [{name: Blog.delete_posts, arguments: {filter: 'id > 0'}}]}
  - when: {user: {matches: '^look up (?P<word>\w+)$'}}
    reply: {calls: [{name: lookup, arguments: {filter: "search = '{{match.word}}'"}}]}
  - when: {after: Blog.create_posts, error: false}
    reply: {text: 'Kept as {{result.entity.status}}.'}
  - when: {after: Blog.update_posts, error: false}
    reply: {text: 'Changed {{result.updated}}.'}
  - when: {after: Blog.list_posts, error: false}
    reply: {text: 'Found {{result.entities.0.title}}.'}
  - when: {after: Blog.ExecuteCustomQuery, error: false}
    reply: {text: 'There are {{result.results.0.n}}.'}
  - when: {after: lookup, error: false}
    reply: {text: 'Found {{result.entities.0.title}}.'}
  - when: {after: '*', error: true}
    reply: {text: 'That failed: {{result.error.code}}: {{result.error.message}}'}
  - reply: {text: 'You said: {{user}}'}
"""
_SESSIONS = count()


def posts(operation: str, *outputs: str) -> JsonObject:
    """An action on posts; what is listed is found by words and status."""
    by: list[JsonValue] = ["search", "status"] if operation == "LIST" else []
    shape: JsonObject = {"entityOperation": {"entityId": "posts", "operation": operation}}
    return {**shape, "inputFields": by, "outputFields": list(outputs)}


@pytest.fixture(scope="module")
def site() -> Iterator[WordpressSite]:
    with running_wordpress() as running_site:
        yield running_site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, site: WordpressSite) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("wordpress")
    (folder / "script.yaml").write_text(SCRIPT)
    model = f"scripted:{folder / 'script.yaml'}"
    with running(folder, "--model", model, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as started:
        rest, secret = Rest(started.http), "projects/p/secrets/blog"
        rest("POST", f"v1/{secret}:addVersion", {"payload": {"data": b64encode(site.password.encode()).decode()}})
        user: JsonObject = {"username": USER, "password": {"secretVersion": f"{secret}/versions/latest"}}
        body: JsonObject = {
            "connectorVersion": f"{LOCATION}/providers/gcp/connectors/wordpress/versions/1",
            "configVariables": [
                {"key": "site", "stringValue": "blog.example.com"},
                {"key": "write_cap", "intValue": "3"},
            ],
            "authConfig": {"authType": "USER_PASSWORD", "userPassword": user},
            "destinationConfigs": [{"key": "host", "destinations": [{"host": "http://127.0.0.1", "port": site.port}]}],
        }
        created = finished(rest, rest("POST", f"v1/{LOCATION}/connections?connectionId=blog", body))
        assert created["response"]["status"] == {"state": "ACTIVE"}
        yield started


@pytest.fixture
def rest(server: Server) -> Rest:
    return Rest(server.http)


@pytest.mark.proves("K1", "K3", "K4")
def test_posts_are_written_published_found_counted_and_not_all_forgotten(
    rest: Rest, server: Server, site: WordpressSite
) -> None:
    agent = rest.agent()
    actions: list[JsonValue] = [posts(verb, "id", "title", "status") for verb in ("CREATE", "UPDATE", "LIST", "DELETE")]
    spec: JsonObject = {"name": BLOG, "actions": [*actions, {"connectionActionId": "ExecuteCustomQuery"}]}
    rest.tool(agent, "Blog", connectorSpec=spec)
    rest.start(agent, "Keep the blog with ${TOOL: Blog}.")
    session = f"{agent}/sessions/s{next(_SESSIONS)}"

    assert words(rest.say(session, "write Sunrise over Bern")) == "Kept as draft."
    assert words(rest.say(session, "how many draft")) == "There are 1."
    published = rest.say(session, "publish Sunrise over Bern")
    assert words(published) == "Changed 1."
    assert words(rest.say(session, "find Sunrise")) == "Found Sunrise over Bern."
    for number in range(4):
        rest.say(session, f"write Note {number}")
    assert words(rest.say(session, "how many draft")) == "There are 4."
    refused = words(rest.say(session, "forget everything"))
    assert refused.startswith("That failed: FAILED_PRECONDITION: more than 3 ")
    assert words(rest.say(session, "how many draft")) == "There are 4."
    assert site.password not in dumps(published).decode() + server.log.read_text()


@pytest.mark.proves("K1")
def test_an_app_finds_posts_of_the_site(rest: Rest) -> None:
    app = made(rest, f"{LOCATION}/apps", {"displayName": "Blog"})
    tool = made(
        rest,
        f"{app}/tools",
        {"connectorTool": {"name": "lookup", "connection": BLOG, "action": posts("LIST", "id", "title")}},
    )
    desk = made(rest, f"{app}/agents", {"displayName": "desk", "instruction": "Find posts.", "tools": [tool]})
    rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": desk})
    session = f"{app}/sessions/s{next(_SESSIONS)}"
    body = {"config": {"session": session}, "inputs": [{"text": "look up Hello"}]}
    told = rest("POST", f"v1beta/{session}:runSession", body)["outputs"][-1].get("text", "")
    assert told.startswith("Found Hello")
