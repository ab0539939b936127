"""What a call through an OpenAPI tool costs: ours, plain aiohttp doing the same by hand, google-adk, fastmcp."""
