"""`openplaybook chat FOLDER`: an agent out of files, which follows them."""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.access import server_api
from openplaybook.cli.chat.app_chat import AppChatSession
from openplaybook.cli.chat.chat_files import FileInbox
from openplaybook.cli.chat.chat_session import Answer, ChatSession, Reloaded, Spoken
from openplaybook.cli.chat.folder_agent import folder_agent
from openplaybook.cli.chat.json_lines import report
from openplaybook.cli.chat.terminal import Terminal
from openplaybook.cli.main import app
from openplaybook.cli.resource_lookup import is_app, is_package

from .conftest import Run, refusal
from .packages import write_agent

PLAYBOOK = "playbooks/Start/Start.json"
TOOL = "tools/get_weather/get_weather.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_agent(tmp_path, "Folded")


@pytest.fixture
def conversation(data_dir: Path, folder: Path) -> Iterator[ChatSession]:
    """With the agent of the folder."""
    with server_api(data_dir=data_dir) as api, folder_agent(api, folder) as made:
        yield ChatSession(api, f"{made.resource['name']}/sessions/s", "en", refresh=made.refresh)


def edited(file: Path, **changes: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def shown(
    conversation: ChatSession, capsys: pytest.CaptureFixture[str], *steps: str | Callable[[], object]
) -> list[str]:
    """What a person sees of a chat; a step is what they say, or what they do before they say the next."""
    waiting = list(steps)

    def ask(prompt: str) -> str:
        while waiting and callable(waiting[0]):
            waiting.pop(0)()  # pyright: ignore[reportCallIssue]
        if not waiting:
            raise EOFError
        return str(waiting.pop(0))

    Terminal(conversation, ask).talk()
    return [line for line in capsys.readouterr().out.splitlines() if line]


def test_the_agent_of_a_folder_is_there_for_the_chat_alone(run: Run, folder: Path) -> None:
    before = run("agents", "list").stdout
    result = run("chat", str(folder), "-m", "hello")
    assert (result.exit_code, result.stdout) == (0, "agent: You said: hello\n")
    assert run("agents", "list").stdout == before
    assert "Talking to Folded." in run("chat", str(folder), typed="/quit\n").stdout


def test_a_zip_file_is_talked_to_like_a_folder(run: Run, folder: Path, tmp_path: Path) -> None:
    package = tmp_path / "folded.zip"
    with zipfile.ZipFile(package, "w") as archive:
        for file in folder.rglob("*.json"):
            archive.write(file, file.relative_to(folder))
    assert run("chat", str(package), "-m", "hello").stdout == "agent: You said: hello\n"


def test_a_changed_file_is_told_and_the_next_turn_is_of_the_changed_agent(
    conversation: ChatSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(
        conversation,
        capsys,
        "hello",
        lambda: edited(folder / PLAYBOOK, goal="Tell the time."),
        "again",
        "and again",
    )
    assert lines == [
        "agent: You said: hello",
        f"  ↻ {PLAYBOOK} changed: the agent is reloaded",
        "agent: You said: again",
        "agent: You said: and again",
    ]
    agent = conversation.session.partition("/sessions/")[0]
    [playbook] = conversation.api.get(f"v3/{agent}/playbooks")["playbooks"]
    assert playbook["goal"] == "Tell the time."
    assert conversation.api.get(f"v3beta1/{agent}/conversations/s")["metrics"]["interactionCount"] == 3


def test_a_broken_file_is_told_with_its_line_and_the_old_agent_goes_on(
    conversation: ChatSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = (folder / PLAYBOOK).read_text()
    lines = shown(
        conversation,
        capsys,
        lambda: (folder / PLAYBOOK).write_text('{"displayName": "Start",\n "goal" 3}'),
        "hello",
        "again",
        lambda: (folder / PLAYBOOK).write_text(sound),
        "mended",
    )
    broken, *rest = lines
    assert broken.startswith(f"  ↻ {PLAYBOOK} changed, but the agent is not reloaded: {PLAYBOOK}: is not JSON: ")
    assert "line 2" in broken
    assert rest == [
        "agent: You said: hello",
        "agent: You said: again",
        f"  ↻ {PLAYBOOK} changed: the agent is reloaded",
        "agent: You said: mended",
    ]


def test_files_that_come_and_go_are_changes(
    conversation: ChatSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change() -> None:
        os.remove(folder / TOOL)
        edited(folder / PLAYBOOK, instruction={"steps": [{"text": "Say hello."}]})

    told = shown(conversation, capsys, change, "hello")
    assert told[0] == f"  ↻ {PLAYBOOK} and 1 more changed: the agent is reloaded"


def test_programs_are_told_of_a_reload(
    conversation: ChatSession, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(folder / PLAYBOOK, goal="Tell the time.")
    report(conversation.say("hello"), FileInbox())
    first, *_ = capsys.readouterr().out.splitlines()
    assert json.loads(first) == {"type": "reload", "files": [PLAYBOOK]}


def test_an_app_follows_its_files_too(data_dir: Path, tmp_path: Path) -> None:
    root = tmp_path / "app" / "agents" / "Root"
    root.mkdir(parents=True)
    (tmp_path / "app" / "app.json").write_text(json.dumps({"displayName": "Folded app", "rootAgent": "Root"}))
    (root / "Root.json").write_text(json.dumps({"displayName": "Root", "instruction": "Greet."}))
    with server_api(data_dir=data_dir) as api:
        with folder_agent(api, tmp_path / "app") as made:
            name = str(made.resource["name"])
            assert is_app(name)
            conversation = AppChatSession(api, f"{name}/sessions/s1s1s", "en", refresh=made.refresh)
            spoken, first = conversation.say("hello")
            edited(root / "Root.json", instruction="Wave.")
            reloaded, again, second = conversation.say("again")
        assert isinstance(first, Answer)
        assert isinstance(second, Answer)
        assert (spoken, again) == (Spoken("You said: hello", 1, "Root"), Spoken("You said: again", 1, "Root"))
        assert (reloaded, second.texts) == (Reloaded(("agents/Root/Root.json",)), ("You said: again",))
        assert name not in [each["name"] for each in api.list("v1beta/projects/-/locations/-/apps", "apps")]


def test_the_agent_of_a_chat_takes_no_name_from_others(run: Run, conversation: ChatSession, folder: Path) -> None:
    assert refusal(run("agents", "export", "Folded")).startswith("no agent is called 'Folded'")
    name = run("agents", "import", str(folder)).stdout.strip()
    assert run("conversations", "list", "Folded").exit_code == 0
    assert run("agents", "delete", name, "--yes").exit_code == 0


def test_what_is_no_package_is_the_name_of_an_agent(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Plain").mkdir()
    monkeypatch.chdir(tmp_path)
    assert [is_package(word) for word in ("Folded", "Plain", "Plain/", "nothing/here")] == [True, False, True, False]
    told = refusal(run("chat", "Plain", "-m", "hello"))
    assert told.startswith("no agent is called 'Plain'; ")
    assert told.endswith("; Plain is a folder, which openplaybook agents import makes an agent of")
    assert (
        refusal(run("chat", "Plain/", "-m", "hello")) == "Plain is not an export: it has no agent.json and no app.json"
    )
    assert refusal(run("chat", "typo/", "-m", "hello")) == "typo cannot be read: No such file or directory"
    assert refusal(run("chat", "typo.zip", "-m", "hello")) == "typo.zip cannot be read: No such file or directory"
    (tmp_path / "text.zip").write_text("not a zip")
    assert refusal(run("chat", "text.zip", "-m", "hello")) == "text.zip is neither a folder nor a zip file"
    told = refusal(run("chat", str(folder), "--session", "s1", "-m", "hello"))
    assert told == "--session works only with agents of the server; the session of a folder ends with its chat"


def test_without_a_server_the_command_says_that_it_is_its_own(folder: Path, tmp_path: Path) -> None:
    words = ["chat", str(folder), "-m", "hello", "--data-dir", str(tmp_path / "data")]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout.startswith("agent: ")) == (0, True)
    assert result.stderr.splitlines() == ["server: none is running; this command starts its own", "  model: offline"]
    first = CliRunner().invoke(app, [*words, "--json"]).stdout.splitlines()[0]
    assert json.loads(first)["server"] is None
