"""`openai:NAME`: the Chat Completions protocol, spoken directly over kept connections.

Serves OpenAI and every server that speaks its protocol (vLLM, Ollama, llama.cpp, …). `OPENAI_API_KEY` and
`OPENAI_BASE_URL` (default `https://api.openai.com/v1`) come from the operator, who thereby names the address:
it is exempt from the egress policy that tools are held to. Certificates are verified, redirects are not
followed, and proxies named in the environment are not used.

    chat_request    a `ModelTurn` as the body of a request
    chat_response   the answer as a `ModelReply`
    chat_stream     the answer as server-sent events, piece by piece
    chat_client     one POST, and what its failures mean
    openai_model    the `Model`, and how it is made from its name
"""
