"""What is learned from many tools at once: which words are which parameter's value, and which tool is meant.

Read in this order: `lexemes` and `mentions` find what may be a value, `wants` says what a parameter asks for,
`value_options` and `pair_features` join the two, `trees` judge each pair, `filled_values` chooses one value a
parameter, and `tool_choice` the tool. The weights are learned by `scripts/planner_training`, which says from what.
"""
