from openplaybook.jsonvalues import dumps
from openplaybook.services.stored_records import holds, users_in_words
from openplaybook.storage.base import Record


def test_a_text_is_found_wherever_it_stands_as_a_whole() -> None:
    document = {"a": [{"b": "name"}, 1, None], "c": "a name", "d": {"name": "other"}}
    assert [holds(document, text) for text in ("name", "a name", "other", "na", "d")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_users_are_told_by_kind_display_name_and_name() -> None:
    records = [
        Record(name, kind, "p", "r", dumps({"displayName": kind.upper()}), 1, 1, 0, 0)
        for name, kind in (("p/playbooks/b", "playbook"), ("p/agents/a", "app_agent"))
    ]
    assert users_in_words(records) == "playbook 'PLAYBOOK' (p/playbooks/b); agent 'APP_AGENT' (p/agents/a)"
