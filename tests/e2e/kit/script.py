"""The part that the scripted model plays in the end-to-end tests: what users say, and what the model does then."""

SCRIPT = r"""
rules:
  # A model that never comes to an end.
  - when: {user: {equals: model loops}, after: '*'}
    reply: {calls: [{name: Pets.getPet, arguments: {petId: 1}}]}

  # Several calls in one reply.
  - when: {user: {equals: pet and weather}}
    reply:
      calls:
        - {name: Pets.getPet, arguments: {petId: 3}}
        - {name: get-weather-tool, arguments: {location: Oslo}}
  - when: {user: {equals: pet and weather}, after: get-weather-tool}
    reply: {text: '{{results.getPet.200.name}} is out at {{result.temperature}} degrees.'}
  - when: {user: {equals: two cities}}
    reply:
      calls:
        - {name: get-weather-tool, arguments: {location: Oslo}}
        - {name: get-weather-tool, arguments: {location: Rome}}
  - when: {user: {equals: two cities}, after: get-weather-tool}
    reply: {text: 'I know both.'}

  # Another playbook.
  - when: {user: {equals: call the night desk}, playbook: Desk}
    reply: {calls: [{name: Night desk, arguments: {}}]}
  - when: {playbook: Desk, after: Night desk}
    reply: {text: 'The night desk is done.'}

  # The end of the conversation.
  - when: {user: {equals: escalate!}}
    reply:
      text: A person takes over.
      calls: [{name: end_conversation, arguments: {state: ESCALATED, executionSummary: The user is angry.}}]

  # Pets: an OpenAPI tool.
  - when: {user: {matches: '^pet (?P<id>\d+)$'}}
    reply: {calls: [{name: Pets.getPet, arguments: {petId: '{{match.id|int}}'}}]}
  - when: {user: {matches: '^pets labelled (?P<one>\w+) and (?P<two>\w+)$'}}
    reply: {calls: [{name: Pets.listPets, arguments: {label: ['{{match.one}}', '{{match.two}}'], X-OWNER: Aisha}}]}
  - when: {user: {matches: '^add pet (?P<id>\d+) (?P<name>\w+)$'}}
    reply:
      calls:
        - name: Pets.createPet
          arguments: {requestBody: {id: '{{match.id|int}}', name: '{{match.name}}', label: [new]}}
  - when: {after: Pets.getPet, error: false}
    reply: {text: '{{result.200.name}} belongs to {{result.200.owner}}.'}
  - when: {after: Pets.listPets, error: false}
    reply: {text: 'The first is {{result.200.0.name}}.'}
  - when: {after: Pets.createPet, error: false}
    reply: {text: '{{result.201.name}} is number {{result.201.id}}.'}

  # Weather: a function tool.
  - when: {user: {matches: '(?i)weather in (?P<place>.+?)\??$'}}
    reply: {calls: [{name: get-weather-tool, arguments: {location: '{{match.place}}'}}]}
  - when: {after: get-weather-tool, error: false}
    reply: {text: 'It is {{result.temperature}} degrees.'}

  # A data store tool.
  - when: {user: {matches: '^handbook: (?P<query>.+)$'}}
    reply: {calls: [{name: Handbook, arguments: {requestBody: {query: '{{match.query}}'}}}]}
  - when: {after: Handbook, error: false}
    reply: {text: '{{result.200.answer}}'}

  # An API that the tests make behave in any way.
  - when: {user: {matches: '^ask the api$'}}
    reply: {calls: [{name: Odd.ask, arguments: {}}]}
  - when: {after: Odd.ask, error: false}
    reply: {text: 'The API said {{result.200}}.'}

  # The built-in code interpreter, and the code that the model writes for it.
  - when: {user: {matches: '^compute (?P<task>.+)$'}, playbook: Desk}
    reply: {calls: [{name: code-interpreter, arguments: {query: '{{match.task}}'}}]}
  - when: {after: code-interpreter, error: false}
    reply: {text: 'It is {{result.generate_and_execute output.execution_result}}.'}
  - when: {playbook: Code Interpreter, user: {contains: the rows of the file}}
    reply:
      calls:
        - name: run_python
          arguments:
            code: |
              rows = open('trips.csv').read().splitlines()
              open('dot.png', 'wb').write(bytes.fromhex('89504e470d0a1a0a') + b'rest')
              open('last.txt', 'w').write(rows[-1])
              print(len(rows))
  - when: {playbook: Code Interpreter, user: {contains: 4 + 4}}
    reply: {text: "```python\nprint(4 + 4)\n```"}

  - when: {after: '*', error: true}
    reply: {text: 'That failed: {{result.error.code}}: {{result.error.message}}'}

  # Session parameters and playbooks.
  - when: {user: {contains: what is my colour}}
    reply: {text: 'Your colour is {{parameters.colour}}.'}
  - when: {playbook: Night desk}
    reply: {text: 'The night desk heard: {{user}}'}

  # What models do wrong.
  - when: {user: {equals: model timeout}}
    fail: {kind: timeout}
  - when: {user: {equals: model limit}}
    fail: {kind: rate_limited, retry_after_s: 7}
  - when: {user: {equals: model down}}
    fail: {kind: unavailable}
  - when: {user: {equals: model garbage}}
    fail: {kind: garbled}
  - when: {user: {equals: model refusal}}
    fail: {kind: rejected}
  - when: {user: {equals: model invents}}
    reply: {calls: [{name: no_such_function, arguments: {}}]}
  - when: {user: {equals: model loops}}
    reply: {calls: [{name: Pets.getPet, arguments: {petId: 1}}]}
  - when: {user: {equals: slow words}}
    delay_ms: 1500
    reply: {text: 'At last.'}

  - reply: {text: 'You said: {{user}}'}
"""

OTHER_SCRIPT = "rules: [{reply: {text: The other model speaks.}}]"
"""The part of a model that has to be asked for by name."""
