"""`scripted:FILE`: a model that plays what a YAML or JSON file says. For tests, examples and recordings.

The file holds either `rules` or `replies`.

**Rules.** For every decision the first rule that fits is played; when none fits the decision fails with
MODEL_REJECTED, never with a guess.

```yaml
rules:
  - when:
      user: {matches: '(?i)weather in (?P<city>[A-Z]\\w+)'}
    reply:
      calls:
        - name: get_weather
          arguments: {city: '{{match.city}}'}
  - when: {after: get_weather}
    reply: {text: 'It is {{result.temperature}} degrees in {{result.city}}.'}
  - when: {after: '*', error: true}
    reply: {text: 'That did not work: {{result.error.message}}'}
  - when: {user: {contains: slow}}
    delay_ms: 200
    times: 1
    fail: {kind: unavailable}
  - reply: {text: 'I can tell you the weather.'}
```

What may stand in a rule:

- `when.user`: one of `contains`, `equals` (both ignore case) and `matches` (a regular expression, searched for
  as written), asked of the user's latest words.
- `when.after`: the decision follows the result of this call; `*` for any. Absent: it follows the user's words.
- `when.error`: with `after`, whether that result is an error.
- `when.playbook`: display name of the playbook that decides.
- `when.turn`: how often the user has spoken in this playbook, counted from 1.
- no `when`: fits always, after words and after results.
- `reply`: `text`, `calls` (each `{name, arguments, id}`), or both.
- `fail`: instead of a reply, `{kind, message, retry_after_s}`, kind one of `timeout`, `rate_limited`,
  `unavailable`, `rejected`, `garbled`.
- `delay_ms`: wait before answering; longer than the decision's deadline is a timeout.
- `times`: play the rule this often in the life of the process, then pass it over.

**Replies.** One is played per decision, in order, whoever asks; when they are used up the decision fails.

```yaml
replies:
  - text: Hello.
  - calls: [{name: Pets.getPet, arguments: {petId: 3}}]
  - fail: {kind: timeout}
```

**Names.** A call, and `after`, may be written as the declared function name, as `TOOL.ACTION`, or as the bare
display name of a tool or playbook (in a call only where it stands for one function). A name that fits nothing
is called as written: that is how a model's mistakes are played. `arguments` that are no object are handed on
as they are, for the same reason.

**Templates.** `{{PATH}}` in texts and in strings of arguments; a string that is nothing but one template keeps
the value's type. `PATH` begins with `result` (the result the rule stands after), `results.NAME`, `match` (groups
of `matches`, by name or number), `user` (the user's words), `inputs` or `parameters`, and goes on with keys and
list positions: `{{result.200.0.name}}`. `|int`, `|number` and `|text` convert: `{{match.id|int}}`.
"""

from openplaybook.models.scripted.script_file import read_script
from openplaybook.models.scripted.scripted_model import ScriptedModel

__all__ = ["ScriptedModel", "read_script"]
