"""Ordinary turns beside hostile requests: what an attacker with a key can do to everybody else.

    target      the server under attack, its memory and its end
    ordinary    a process that holds ordinary turns at a steady rate and checks each answer
    pulse       a process that asks for health all the time
    attacker    a process that plays cases
    playing     the same processes as their parent sees them
    prey        what a case may attack, and the answers that it got
    exchange    HTTP/1.1 and gRPC as a hostile client speaks them
    frames      HTTP/2 frames written by hand
    service     an API on loopback that answers hostile bodies
    cases       the cases, a folder by what they are aimed at
    judgement   answers against the published deadlines
    plans       which cases are played when, and the figures of a run

Times are of one clock (`time.monotonic`, the same for all processes of a machine). A turn's latency counts from the
moment when it was due, not from when it was sent: a server that holds everybody up is not excused by that.
"""
