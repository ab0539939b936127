"""What it costs to make tools of OpenAPI documents: ours, google-adk, fastmcp, haystack's openapi-llm."""
