"""What doctor says about the accounts at Google that tools may act as."""

from pathlib import Path

from openplaybook.server.doctor.checks import Check
from openplaybook.server.doctor.identity_checks import check_accounts
from openplaybook.server.settings import Settings

NAME = "service accounts"


def test_nothing_is_said_where_nobody_needs_google() -> None:
    assert check_accounts(Settings()) == []


def test_each_account_is_looked_at_and_no_key_is_shown(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('{"client_email": "good@p.example", "private_key": "planted"}')
    (tmp_path / "text.json").write_text("not json")
    (tmp_path / "none.json").write_text("{}")
    files = {"good": "good", "other": "good", "text": "text", "none": "none", "gone": "gone"}
    listed = ",".join(f"{name}@p.example={tmp_path}/{file}.json" for name, file in files.items())
    assert check_accounts(Settings(service_accounts=f"{listed},far@p.example=impersonated")) == [
        Check(NAME, True, f"good@p.example, by {tmp_path}/good.json"),
        Check(
            NAME,
            False,
            f"other@p.example: {tmp_path}/good.json is that of good@p.example",
            "correct service_accounts",
        ),
        Check(NAME, False, f"text@p.example: {tmp_path}/text.json is not JSON", "download the key file again"),
        Check(NAME, False, f"none@p.example: {tmp_path}/none.json is no key file", "correct service_accounts"),
        Check(
            NAME,
            False,
            f"gone@p.example: {tmp_path}/gone.json cannot be read: No such file or directory",
            "correct service_accounts",
        ),
        Check(NAME, True, "far@p.example, impersonated"),
    ]


def test_googles_identity_alone_needs_no_account() -> None:
    (check,) = check_accounts(Settings(google_identity=True))
    assert check == Check(NAME, True, "none; tools are known by this server's Google credentials")
