"""Builds the descriptor set that the server speaks: Google's API, our extension fields, our own RPCs.

Runs at build time only (`hatch_build.py`, or `python -m build_api` in a checkout). Everything Google defines is taken
from Google's published Python packages and discovery documents; what is ours is data in `extensions.py` and one
`.proto` file.

    sources        which packages, and which beta package contains which stable one
    messages       message and enum descriptors out of the proto-plus classes
    superset       what only the stable version has, added to the beta one
    services       services and streaming kinds, by a channel that records what the transports ask of it
    discovered_api APIs that are published as discovery documents alone: `discovered_messages`, `discovered_methods`,
                   and `stable_numbers` for what documents do not number
    needed         what the RPCs need that are taken of a large API; the rest is left out
    http_rules     REST bindings of every RPC
    mixins         the long-running operations and locations services, with a route per version
    operations     what a long-running operation results in
    behaviour      REQUIRED, OUTPUT_ONLY and the like; resource name patterns
    extensions     our extension fields (data); `extend` adds them
    own            our own protos, compiled
    assemble       all of it in order, to bytes
"""
