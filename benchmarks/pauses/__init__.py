"""What paused sessions cost: memory while they wait, and time when they are resumed.

systems   a system that pauses: ours with a function tool, google-adk with a long-running function
load      pauses made, and resumed in closed and open loops
long      one conversation of five hundred turns
"""
