"""Where a service may try to send us, and how that ends: a rule of the address policy, or the code of another error.

The service stands on 127.0.0.1, which is allowed here, and `internal.example` is 10.0.0.1.
"""

from collections.abc import Mapping

LOCATIONS: Mapping[str, str] = {
    # Elsewhere by address.
    "http://169.254.169.254/latest/meta-data/": "metadata",
    "//169.254.169.254/latest/meta-data/": "metadata",
    "http://[fd00:ec2::254]/": "metadata",
    "http://[::ffff:169.254.169.254]/": "metadata",
    "http://[64:ff9b::a9fe:a9fe]/": "metadata",
    "http://10.0.0.1/": "private",
    "//10.0.0.1/": "private",
    "http://192.168.1.1:8080/admin": "private",
    "http://127.0.0.2/": "loopback",
    "http://[::1]/": "loopback",
    "//[::1]:8080/": "loopback",
    "http://0.0.0.0/": "unspecified",
    "http://[::ffff:127.0.0.1]/": "ipv4_mapped",
    "http://[::127.0.0.1]/": "ipv4_compatible",
    "http://100.64.0.1/": "shared",
    "http://224.0.0.1/": "multicast",
    # By name.
    "http://internal.example/": "private",
    "//internal.example/": "private",
    "http://INTERNAL.example./": "private",
    "http://unknown.example/": "CONNECTION_FAILED",
    # By odd spellings.
    "http://2130706433/": "odd_address",
    "http://0x7f.1/": "odd_address",
    "http://0177.0.0.1/": "odd_address",
    "http://127.0.0.1./": "odd_address",
    "http://１２７.０.０.２/": "loopback",
    # By other schemes.
    "file:///etc/passwd": "scheme",
    "file:/etc/passwd": "scheme",
    "ftp://127.0.0.1/": "scheme",
    "gopher://127.0.0.1:6379/_INFO": "scheme",
    "data:text/plain,hello": "scheme",
    "javascript:alert(1)": "scheme",
    "unix:///var/run/docker.sock": "scheme",
    # With credentials, and by what two parsers read in two ways.
    "http://user:secret@127.0.0.1/": "userinfo",
    "//user@internal.example/": "userinfo",
    "http://127.0.0.1@internal.example/": "userinfo",
    "http://internal.example\\@127.0.0.1/": "BAD_RESPONSE",
    "http://[::1": "BAD_RESPONSE",
    "http://127.0.0.1:99999/": "BAD_RESPONSE",
    "/\\internal.example/": "malformed_url",
    "\\\\internal.example\\": "malformed_url",
    # Round and round; without a host, a location stays within the origin (RFC 3986 §5.2).
    "http:///etc/passwd": "TOO_MANY_REDIRECTS",
    "http://": "TOO_MANY_REDIRECTS",
    "/a\tb": "TOO_MANY_REDIRECTS",
    "/again": "TOO_MANY_REDIRECTS",
    "?": "TOO_MANY_REDIRECTS",
    "#here": "TOO_MANY_REDIRECTS",
    ".": "TOO_MANY_REDIRECTS",
}
