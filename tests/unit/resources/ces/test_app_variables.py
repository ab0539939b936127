from openplaybook.resources.ces.app_variables import declared_variables, secret_variables


def test_declared_variables_begin_with_their_defaults() -> None:
    declarations = [
        {"name": "city", "schema": {"type": "STRING", "default": "Bonn"}},
        {"name": "empty", "schema": {"type": "STRING"}},
        {"description": "nameless"},
    ]
    assert declared_variables({"variableDeclarations": declarations}) == {"city": "Bonn", "empty": None}
    assert declared_variables({}) == {}


def test_variables_that_an_authentication_reads_are_secret() -> None:
    tools = [
        {"openApiTool": {"apiAuthentication": {"bearerTokenConfig": {"token": "$context.variables.token"}}}},
        {"connectorTool": {"authConfig": {"oauth2JwtBearerConfig": {"subject": "$context.variables.who"}}}},
        {"mcpToolset": {"customHeaders": {"X-Key": "$context.variables.key"}}},
        {"pythonFunction": {"pythonCode": "'$context.variables.open'"}},
    ]
    assert secret_variables(tools) == {"token", "who", "key"}
