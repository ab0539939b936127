"""Who this server is: an issuer of its own, service accounts, Google's credentials."""
