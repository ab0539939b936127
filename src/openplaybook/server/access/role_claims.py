"""Which role the claims of a token give."""

from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.server.access.principals import ROLES, Role


@dataclass(frozen=True, slots=True)
class RoleClaims:
    """A claim, and what its values mean here."""

    claim: str
    meaning: Mapping[str, Role]

    def role_of(self, claims: JsonObject) -> Role | None:
        """The highest role among the claim's values, a list of them or text with blanks between; None for no role."""
        values = self._values(claims)
        roles = {self.meaning[value] for value in values if value in self.meaning}
        return next((role for role in Role if role in roles), None)

    def _values(self, claims: JsonObject) -> list[str]:
        claim = _claim_at(claims, self.claim)
        if isinstance(claim, str):
            # One value with blanks in it, such as a group's name, or several, such as scopes.
            return [claim, *claim.split()]
        return [value for value in as_list(claim) if isinstance(value, str)] if isinstance(claim, list) else []


def parse_role_map(text: str) -> Mapping[str, Role]:
    """`VALUE=ROLE,…`, or our own names of roles where the text is empty. Raises `ValueError`."""
    if not text.strip():
        return {role.value: role for role in Role}
    meaning: dict[str, Role] = {}
    for number, entry in enumerate(text.split(","), start=1):
        value, separator, role = entry.strip().rpartition("=")
        if not separator or not value or role not in list(Role):
            raise ValueError(f"entry {number} must be VALUE=ROLE with one of {ROLES}")
        meaning[value] = Role(role)
    return meaning


def _claim_at(claims: JsonObject, path: str) -> JsonValue:
    """The claim of that name, which may hold dots (`https://example.com/roles`), else what the dots lead to."""
    if path in claims:
        return claims[path]
    name, _, rest = path.partition(".")
    inner = claims.get(name)
    return _claim_at(as_object(inner), rest) if rest and isinstance(inner, dict) else None
