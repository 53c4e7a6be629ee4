import { defined, type JsonObject } from '@proffer/core/json';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'integer', description: 'Milliseconds since 1970.' } as const;
const action = { enum: ['allow', 'ask', 'deny'] } as const;
const decision = { enum: ['allow', 'deny'] } as const;

/** An object with these fields and no others. Those whose names end in `?` may be absent. */
function object(fields: Readonly<Record<string, JsonObject>>, description?: string): JsonObject {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    ...defined({ description }),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
    additionalProperties: false,
  };
}

const list = (items: JsonObject, description?: string): JsonObject => ({
  type: 'array',
  ...defined({ description }),
  items,
});

const some = (item: JsonObject, description: string): JsonObject =>
  object({ count, shown: list(item, 'The newest 20.') }, description);

const extent = { after: count, to: count, messages: count };
const history = (fields: Readonly<Record<string, JsonObject>> = {}): JsonObject =>
  object({ ...extent, ...fields }, 'What was checked: the messages after one `seq` and up to another.');
const skipped = { ...count, description: 'Calls that are too long to be checked.' };

const past = {
  proposal: text,
  participant: text,
  'server?': text,
  tool: text,
  arguments: { ...text, description: 'As JSON; cut off after 300 characters.' },
  at: time,
  'decided?': object({ decision, by: text, at: time, automatic: { type: 'boolean' } }),
};
const judged = object({ ...past, action, 'rule?': text }, 'A past call, and what the rules would have done.');

const counts = object(
  { same: count, different: count, newly_automatic: count, asked: count },
  'Calls decided the same way, decided differently, decided by nobody before, and left to people.',
);

const rule = {
  'name?': text,
  line: { type: 'integer', minimum: 1 },
  action,
  words: { ...text, description: 'The rule as a sentence or two.' },
  'reason?': text,
};
const tally = object({ count, 'last?': time });

/** `GET /rules`. */
export const OWNED: JsonObject = object({
  owners: list(
    object({
      participant: text,
      owner: { ...text, description: '`guard`, `hook` or `steward`.' },
      source: text,
      version: text,
      connected: { type: 'boolean' },
      rules: list(object({ ...rule, decided: tally })),
      'otherwise?': object({ action, words: text, decided: tally }, 'What applies if no rule matches.'),
      earlier: { ...tally, description: 'Decisions by rules that have since been removed.' },
      lately: list(
        object({
          action: decision,
          tool: text,
          at: time,
          'rule?': { ...count, description: 'Its place among `rules`.' },
          'proposal?': text,
          'reason?': text,
        }),
        'The newest first.',
      ),
      'problem?': { ...text, description: 'Why the rules cannot be shown.' },
    }),
  ),
  history: history(),
});

/** `GET /rules/suggestions`. */
export const SUGGESTED: JsonObject = object({
  suggestions: list(
    object({
      name: text,
      action: decision,
      words: text,
      text: { ...text, description: 'The rule as the text of a file.' },
      free: list(text, 'Arguments that may be anything.'),
      evidence: some(object(past), 'The decisions that it reproduces.'),
      counts,
      newlyAutomatic: some(judged, 'Calls that nobody decided but the rule would have.'),
      already: list(text, 'Participants whose rules do the same.'),
    }),
  ),
  passedOver: list(
    object({
      name: text,
      action: decision,
      words: text,
      evidence: count,
      different: some(judged, 'Calls that someone decided differently.'),
    }),
  ),
  history: history({ proposals: count, decided: count, skipped }),
  'closest?': object(
    { decision, tool: text, 'server?': text, alike: count, equal: count },
    'What came closest to a rule, where none is suggested.',
  ),
});

/** `GET /rules/watched`. */
export const WATCHED: JsonObject = object({
  'watched?': object(
    {
      since: time,
      until: time,
      calls: count,
      reads: { ...count, description: 'Those that only read.' },
      allowed: { ...count, description: "Others that rules or the agents' own settings allow." },
      asked: count,
      denied: count,
      rules: count,
      answered: { ...count, description: 'How many questions these rules would have answered.' },
      suggested: list(
        object({ name: text, words: text, text, answers: count }),
        'Those that answer most first.',
      ),
    },
    'Absent if nothing was watched.',
  ),
});

/** `GET /rules/draft`. */
export const DRAFTED: JsonObject = object({
  proposal: text,
  drafts: list(
    object({ words: text, text: { ...text, description: 'The rule as the text of a file.' } }),
    'The narrowest first.',
  ),
});

/** `POST /rules/try`: what the draft would have decided, or what is wrong with it. */
export const TRIED: JsonObject = {
  oneOf: [
    object({
      version: text,
      words: list(object(rule), 'The rules of the draft, each as a sentence.'),
      'otherwise?': { ...text, description: 'What applies if no rule matches.' },
      counts,
      already: { ...count, description: 'Calls that the rules before the draft decide.' },
      different: some(judged, 'Calls that someone decided differently.'),
      newlyAutomatic: some(judged, 'Calls that nobody decided and the draft would have.'),
      history: history({ proposals: count, skipped }),
    }),
    object({
      problems: list(
        object({
          source: text,
          line: { type: 'integer', minimum: 1 },
          column: { type: 'integer', minimum: 1 },
          path: { ...text, description: 'Such as `rules[2].match.tool`.' },
          message: text,
          'suggestion?': text,
          'excerpt?': text,
        }),
      ),
    }),
  ],
};
