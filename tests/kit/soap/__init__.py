"""Peers that speak SOAP, strict by the schema of their WSDL, and what is made of such schemas."""
