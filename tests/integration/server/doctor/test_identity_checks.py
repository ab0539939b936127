"""What doctor says about keys, tokens and certificates."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from openplaybook.server.doctor.checks import Check
from openplaybook.server.doctor.examination import examined
from openplaybook.server.doctor.identity_checks import check_entrance
from openplaybook.server.settings import Settings
from tests.kit.server_certificates import write_pair

CA = trustme.CA(key_type=trustme.KeyType.ECDSA)
NOW = datetime.now(UTC)


def test_a_server_that_asks_for_nothing_has_nothing_to_check() -> None:
    assert check_entrance(Settings()) == []


def test_keys_and_tokens_are_named_by_where_they_are_from(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("0123456789abcdef\n")
    settings = Settings(api_key_file=keys, oidc_issuer="https://id.example", oidc_audience="a")
    assert check_entrance(settings) == [Check("access", True, f"keys of {keys} and tokens of https://id.example")]
    keys.write_text("short\n")
    [check] = check_entrance(settings)
    assert (check.ok, check.remedy) == (False, "correct api_key_file and the oidc_ settings")
    assert "short" not in check.detail


@pytest.mark.parametrize(("days", "remedy"), [(100, ""), (10, "renew it, then send the server SIGHUP")])
async def test_a_certificate_is_told_by_how_long_it_is_good(tmp_path: Path, days: int, remedy: str) -> None:
    expires = NOW + timedelta(days=days)
    pair = write_pair(CA, tmp_path, not_after=expires)
    settings = Settings(data_dir=tmp_path, tls_cert=pair.tls_cert, tls_key=pair.tls_key)
    checks = [check for check in await examined(settings, {}) if check.name == "certificate"]
    assert checks == [Check("certificate", True, f"valid until {expires:%Y-%m-%d}", remedy)]


def test_one_that_cannot_be_used_is_a_fault(tmp_path: Path) -> None:
    [check] = check_entrance(Settings(tls_cert=tmp_path / "none"))
    assert (check.ok, check.remedy) == (False, "correct tls_cert and tls_key")
