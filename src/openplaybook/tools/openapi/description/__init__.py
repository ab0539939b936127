"""Reading a description: from its text to its operations, whatever version of OpenAPI it speaks."""
