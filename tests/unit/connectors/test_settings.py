"""What settings say of writes."""

import pytest

from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.settings import ConfigValue, ConnectionSettings


@pytest.mark.parametrize(("given", "cap"), [({}, 50), ({"write_cap": 3}, 3), ({"write_cap": "7"}, 7)])
def test_the_cap_of_writes_is_that_of_the_config_variable(given: dict[str, ConfigValue], cap: int) -> None:
    assert ConnectionSettings("c", "acme", given).write_cap == cap


@pytest.mark.parametrize("given", [0, -1, "many"])
def test_a_cap_that_is_none_is_refused(given: ConfigValue) -> None:
    with pytest.raises(InvalidConnection, match=r"configVariables\.write_cap"):
        _ = ConnectionSettings("c", "acme", {"write_cap": given}).write_cap
