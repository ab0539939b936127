"""What it costs a server to lose nothing: a turn with three tool calls, one after the other.

    unjournaled   our own server with its turns kept nowhere: the least a turn can cost
    dbos          the same turn by hand on DBOS, each call a durable step
    postgres      a PostgreSQL cluster for the run

Load, peers and rounds are those of `benchmarks.turns`, and so is google-adk.
"""
