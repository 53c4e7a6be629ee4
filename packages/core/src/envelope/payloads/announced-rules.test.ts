import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

describe('an announcement of rules', () => {
  const RULES = { owner: 'guard', source: 'rules.yaml', version: '7@0123', count: 1 };
  const announce = (more: JsonObject) => message('mcpx.announce.rules', { ...RULES, ...more });

  it("is accepted, even without the rules' content", () => {
    const said = { rules: { rules: [{ action: 'deny', match: { tool: 'x' } }] }, lines: [3] };
    expect(accepted(announce(said)).payload).toStrictEqual({ ...RULES, ...said });
    expect(accepted(announce({})).payload).toStrictEqual(RULES);
  });

  itRefuses([
    ['of somebody else', announce({ owner: 'agent' }), 'invalid_field', 'payload.owner'],
    ['without a version', announce({ version: '' }), 'invalid_field', 'payload.version'],
    [
      'of a file with an endless name',
      announce({ source: 'x'.repeat(1_001) }),
      'invalid_field',
      'payload.source',
    ],
    ['with half a rule', announce({ count: 0.5 }), 'invalid_field', 'payload.count'],
    ['as text', announce({ rules: 'default: ask' }), 'invalid_field', 'payload.rules'],
    [
      'I-7: that are too long',
      announce({ rules: { a: 'x'.repeat(70_000) } }),
      'invalid_field',
      'payload.rules',
    ],
    ['with lines of other rules', announce({ lines: [1, 2] }), 'invalid_field', 'payload.lines'],
  ]);
});
