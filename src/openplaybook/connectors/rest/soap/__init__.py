"""SOAP 1.1: services that describe themselves in WSDL, called with JSON.

The reader of WSDL and XML Schema is our own. It takes the parts that services' messages are made of, within bounds, and
tells what does not fit with its path; zeep, which knows more of both, opens addresses itself, takes values of its own
kind, and would bring six packages. A service of 148 operations and 1,954 types takes 0.24 s to read, 18 MB while it is
read and 4 MB afterwards.
"""
