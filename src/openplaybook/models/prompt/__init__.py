"""What a model is told, as text: one small module for each part of the prompt, in Dialogflow's documented order.

    system prompt        opening, then goal and instructions          (`head`: rendered once)
    tools                functions                                    (`head` too)
    examples             examples, as native dialogue
    context              inputs, session parameters, … as data                  (`texts`)
    conversation         cut to the model's window                    (`dialogue`)

Adapters turn entries into their provider's messages; a result of a call always becomes a tool message.
"""
