"""What the model plays in the stories of `stories.py`: one rule for each thing that a user says."""

SCRIPT = r"""
rules:
  # A tool without effect, and its repeatable call
  - when: {user: {matches: '^pet (?P<id>\d+)$'}}
    reply: {calls: [{name: Desk tools.getPet, arguments: {petId: '{{match.id|int}}'}}]}
  - when: {after: Desk tools.getPet, error: false}
    reply: {text: '{{result.200.name}} belongs to {{result.200.owner}}.'}

  # A tool with an effect
  - when: {user: {matches: '^charge (?P<order>\S+)$'}}
    reply: {calls: [{name: Desk tools.charge, arguments: {requestBody: {order: '{{match.order}}'}}}]}
  - when: {after: Desk tools.charge, error: false}
    reply: {text: 'Order {{result.200.order}} is charged.'}

  # The client's function, once and twice, and one playbook deeper
  - when: {user: {matches: '^weather in (?P<city>\w+)$'}}
    reply: {calls: [{name: weather, arguments: {city: '{{match.city}}'}}]}
  - when: {user: {equals: two cities}}
    reply:
      text: One moment.
      calls:
        - {name: weather, arguments: {city: Oslo}}
        - {name: weather, arguments: {city: Rome}}
  - when: {user: {equals: two cities}, after: weather}
    reply: {text: 'I know both.'}
  - when: {user: {equals: my account}}
    reply: {calls: [{name: weather, arguments: {city: Bonn}}]}
  - when: {user: {equals: my account}, after: weather}
    reply: {calls: [{name: Accounts.account, arguments: {}}]}
  - when: {after: Accounts.account, error: false}
    reply: {text: 'Your account is {{result.200.account}}.'}
  - when: {user: {equals: my bill}, playbook: Desk}
    reply: {calls: [{name: Billing, arguments: {}}]}
  - when: {user: {equals: my bill}, playbook: Billing, after: weather}
    reply: {text: 'Billing knows: {{result.temperature}}.'}
  - when: {user: {equals: my bill}, playbook: Billing}
    reply: {calls: [{name: weather, arguments: {city: Bern}}]}
  - when: {after: weather, error: false}
    reply: {text: 'It is {{result.temperature}} degrees.'}

  # Keys: one written into the tool, one kept as a secret
  - when: {user: {equals: inline key}}
    reply: {calls: [{name: Inline.inline, arguments: {}}]}
  - when: {after: Inline.inline, error: false}
    reply: {text: 'The key is {{result.200.key}}.'}
  - when: {user: {equals: kept key}}
    reply: {calls: [{name: Kept.kept, arguments: {}}]}
  - when: {after: Kept.kept, error: false}
    reply: {text: 'The key is {{result.200.key}}.'}

  # The code interpreter, with a file
  - when: {playbook: Code Interpreter}
    reply:
      calls:
        - name: run_python
          arguments:
            code: |
              import csv
              rows = list(csv.reader(open('sales.csv')))
              open('count.txt', 'w').write(str(len(rows)))
              print(len(rows))
  - when: {user: {matches: '^count (?P<what>.+)$'}}
    reply: {calls: [{name: code-interpreter, arguments: {query: 'count {{match.what}}'}}]}
  - when: {after: code-interpreter, error: false}
    reply: {text: 'It has {{result.generate_and_execute output.execution_result}} rows.'}

  # An app
  - when: {user: {matches: '^forecast for (?P<city>\w+)$'}}
    reply: {calls: [{name: forecast, arguments: {city: '{{match.city}}'}}]}
  - when: {after: forecast, error: false}
    reply: {text: 'The forecast says {{result.temperature}}, in {{parameters.shop}}.'}
  - when: {user: {matches: '^order (?P<many>\d+)$'}}
    reply: {calls: [{name: tally, arguments: {step: '{{match.many|int}}'}}]}
  - when: {after: tally, error: false}
    reply: {text: 'Ordered so far: {{result.ordered}}.'}
  - when: {user: {equals: about my bill}, playbook: desk}
    reply: {calls: [{name: billing, arguments: {}}]}
  - when: {playbook: billing}
    reply: {text: 'Billing heard: {{user}}'}

  - when: {after: '*', error: true}
    reply: {text: 'That failed: {{result.error.code}}'}
  - reply: {text: 'You said: {{user}}'}
"""
