"""One module per Google service; a handler is a coroutine from a request message to a response message."""
