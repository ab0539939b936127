"""RSA keys that tests share, since making one takes a tenth of a second."""

from functools import cache

from joserfc.jwk import RSAKey


@cache
def rsa_key(number: int = 0) -> RSAKey:
    """A key that is this process's own; another number gives another one."""
    return RSAKey.generate_key(2048)
