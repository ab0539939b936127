"""What one turn of an agent costs the server: a model call that asks for a tool, the tool's HTTP call, a model call
that answers. Ours against google-adk's `adk api_server`, each asked over its own HTTP API.

    base          what a system under test is
    ours, adk     the systems
    model_peer    a model server without delay, in OpenAI's and in Gemini's protocol
    pets_peer     the API behind the tool
    loopback      the small HTTP server of both
    client        the small HTTP client of the load
    peers         the two peers as processes
    load          a window of turns and its figures
    rounds        rounds of all systems in turn, and their medians

The server is pinned to a core of its own; load and peers share another. Every turn is the first of a new session and
asks about another pet; it counts when the answer names that pet, which only the tool's answer does. CPU is user and
system time of the server and its descendants from /proc, divided by the turns.
"""
