"""What a model is told, as text, in Dialogflow's documented order.

    system prompt        rules, then goal and instructions            (`prompt_head`: rendered once)
    tools                functions                                    (`prompt_head`)
    examples             as native dialogue                           (`prompt_head`; those that fit: `dialogue`)
    context              inputs, session parameters, … as data        (`prompt_texts`)
    conversation         cut to the model's window                    (`dialogue`)

Adapters turn entries into their provider's messages; a result of a call always becomes a tool message.
"""
