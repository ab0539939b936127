"""The page on reaching services names every rule and every error there is."""

import re
from pathlib import Path

from openplaybook.egress import address_policy, errors
from openplaybook.egress.errors import EgressError

PAGE = (Path(__file__).parents[2] / "docs" / "reaching-services.md").read_text(encoding="utf-8")


def named_below(heading: str) -> set[str]:
    """What stands in backquotes in the first column of the tables below a heading."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_every_rule_of_the_address_policy_is_explained() -> None:
    source = "".join(Path(module).read_text(encoding="utf-8") for module in modules())
    rules = set(re.findall(r'rule="(\w+)"', source)) | set(address_policy.REASONS)
    assert named_below("Where requests may go") == rules


def modules() -> list[Path]:
    return sorted(Path(address_policy.__file__).parent.glob("*.py"))


def test_every_error_is_explained() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, EgressError)]
    assert named_below("What goes wrong") == {each.code for each in classes} - {EgressError.code}
