from openplaybook.recordings.placeholders import Placeholders

AGENT = "projects/p/locations/l/agents/a"


def test_names_and_placeholders_stand_for_each_other() -> None:
    names = Placeholders(AGENT, f"{AGENT}/sessions/0123456789")
    told = {"file": f"{names.session}/files/f", f"{AGENT}/tools/t": ["id 0123456789", 5, None]}
    shown = {"file": "${SESSION}/files/f", "${AGENT}/tools/t": ["id ${SESSION_ID}", 5, None]}
    assert names.put_in(told) == shown
    assert names.taken_out(shown) == told


def test_a_short_session_id_is_no_word_to_look_for() -> None:
    names = Placeholders(AGENT, f"{AGENT}/sessions/1")
    assert names.put_in({"petId": "1", "session": names.session}) == {"petId": "1", "session": "${SESSION}"}
