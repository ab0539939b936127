"""Learns the weights of the offline planner: `python -m scripts.planner_training CASES`.

CASES is a folder with cases of the Berkeley Function Calling Leaderboard (Apache-2.0), one JSON object a line, in files
named after their categories. Nothing else is learned from; the weights are numbers, and no case's words are kept.
"""
