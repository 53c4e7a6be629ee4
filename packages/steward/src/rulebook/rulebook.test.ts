import { readFileSync } from 'node:fs';
import type { Envelope } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { type HistoryEntry } from '../history/index.js';
import { finish } from '../history/steps.js';
import { decideByRules, describeDecision } from '../index.js';
import { past } from '../testing/past.js';
import { callOf, rulesOf } from '../testing/rules.js';
import {
  announcedRules,
  decidedByRules,
  defaultInWords,
  draftRules,
  ownedRules,
  readDraft,
  rulesAnnouncement,
  rulesInWords,
  tryDraft,
} from './index.js';

const RULES = `
# a comment that is nobody's business
version: "7"
default: deny
rules:
  - { name: no secrets, action: deny, reason: Secrets stay secret., match: { arguments: { path: /etc/** } } }
  - { action: allow, match: { tool: write_file, participant: agent, arguments: { path: /tmp/** } } }
  - { name: pay, action: allow, rate: 2 per hour, match: { tool: pay, arguments: { amount: { lte: 100 } } } }
  - { name: reads, action: ask, match: { annotations: { readOnlyHint: true } } }
`;

describe('rules in plain language', () => {
  it('name the caller, the call and the conditions naturally', () => {
    const rules = rulesOf(RULES);
    expect(rulesInWords(rules).map(({ words }) => words)).toEqual([
      'Deny any call if path is "/etc/**".',
      'Allow write_file by agent if path is "/tmp/**".',
      'Allow pay if amount is a number at most 100. At most 2 per hour; calls beyond that go to the next rule.',
      'Ask people about any call if its server says that it only reads.',
    ]);
    expect(defaultInWords(rules)).toBe('Deny everything else.');
    expect(defaultInWords(rulesOf('default: ask'))).toBe('Ask people about every call.');
  });
});

describe('announced rules', () => {
  it('decide like those in the file, under the same version, without its comments', () => {
    const [, readme = ''] =
      /```yaml\n([^]*?)```/.exec(readFileSync('packages/steward/README.md', 'utf8')) ?? [];
    for (const text of [RULES, readme]) {
      const rules = rulesOf(text);
      const { kind, payload } = rulesAnnouncement(rules, 'guard');
      expect(kind).toBe('mcpx.announce.rules');
      expect(JSON.stringify(payload)).not.toContain('nobody');
      const read = announcedRules(JSON.parse(JSON.stringify(payload)) as JsonObject);
      if (!read.ok) throw new Error(read.refusal.message);
      expect(read.value.version).toBe(rules.version);
      expect(rulesInWords(read.value)).toEqual(rulesInWords(rules));
      const call = callOf({ tool: 'write_file', arguments: { path: '/tmp/a' } });
      expect(decideByRules(read.value, call).action).toBe(decideByRules(rules, call).action);
    }
  });

  it('I-7: are announced without their content if they are too long', () => {
    const rule = { action: 'deny', reason: 'x'.repeat(20_000), match: { tool: 'x' } };
    const many = [rule, rule, rule, rule];
    const { payload } = rulesAnnouncement(rulesOf(JSON.stringify({ rules: many })), 'steward');
    expect(payload).toMatchObject({ owner: 'steward', count: 4 });
    expect(payload['rules']).toBeUndefined();
    const owned = ownedRules({ participant: 's', connected: true, announced: payload }, []);
    expect(owned).toMatchObject({ rules: [], problem: expect.stringContaining('4 rules of rules.yaml') });
  });
});

const message = (from: string, kind: string, payload: JsonObject, id = ''): Envelope => ({
  protocol: 'mcpx/v0.1',
  id,
  ts: '2026-11-16T12:00:00Z',
  from,
  kind,
  payload,
});

const entry = (type: string, envelope: Envelope, facts: JsonObject = {}): HistoryEntry => ({
  type,
  time: 1_000,
  principal: envelope.from,
  envelope,
  facts,
});

describe('recent decisions by rules', () => {
  const rules = rulesOf(RULES);
  const announced = rulesAnnouncement(rules, 'guard').payload;
  const about = { participant: 'files', connected: true, announced };

  it("come from a guard's own reports; reports about others' rules do not count", () => {
    const { version } = rules;
    const rule = { index: 0, line: 6, name: 'no secrets' };
    const at = '2026-11-16T13:00:00Z';
    const denied = { action: 'deny', tool: 'files/read', rule, version, reason: 'Secrets stay secret.', at };
    const allowed = { action: 'allow', tool: 'files/write', rule: { index: 1, line: 7 }, version };
    const calls = [{ at }, { at: '2026-11-16T14:00:00Z' }];
    const byDefault = { action: 'deny', tool: 'files/other', version };
    const before = { ...denied, version: 'older', rule: { ...rule, index: 5 } };
    const gone = { ...denied, version: 'older', rule: { index: 0, line: 1 } };
    const told = [denied, { ...allowed, calls }, byDefault, before, gone, { action: 'odd' }, 'no decision'];
    const decided = decidedByRules([
      entry('said', message('files', 'chat.message', { text: '', decisions: told })),
      entry('said', message('agent', 'chat.message', { text: '', decisions: [denied] })),
    ]);
    const owned = ownedRules(about, decided.get('files') ?? []);
    expect(owned.rules.map((one) => one.decided.count)).toEqual([2, 2, 0, 0]);
    expect(owned.otherwise?.decided.count).toBe(1);
    expect(owned.earlier.count).toBe(1);
    expect(owned.rules[1]?.decided.last).toBe(Date.parse('2026-11-16T14:00:00Z'));
    expect(owned.lately[0]).toEqual({
      action: 'allow',
      tool: 'files/write',
      at: Date.parse('2026-11-16T14:00:00Z'),
      rule: 1,
    });
  });

  it('I-7: count at most a thousand calls from a message that claims a million', () => {
    const decision = {
      action: 'allow',
      tool: 't',
      version: 'v',
      calls: Array.from({ length: 300 }, () => ({})),
    };
    const decisions = Array.from({ length: 300 }, () => decision);
    const decided = decidedByRules([entry('said', message('x', 'chat.message', { decisions }))]);
    expect(decided.get('x')).toHaveLength(1_000);
  });

  it('come from what a steward says about proposals', () => {
    const say = (path: string) =>
      describeDecision(decideByRules(rules, callOf({ tool: 'write_file', arguments: { path } })));
    const proposed = entry(
      'proposed',
      message(
        'agent',
        'mcp.proposal.tools/call',
        { method: 'tools/call', params: { name: 'write_file' } },
        'p1',
      ),
      { proposal: 'p1' },
    );
    const status = (path: string, text = say(path)) =>
      entry(
        'status_reported',
        message('s', 'mcpx.status.proposal', { status: 'processing', message: text }),
        {
          proposal: 'p1',
        },
      );
    const rejected = (path: string) =>
      entry('rejected', message('s', 'mcpx.reject.proposal', { reason: 'policy', message: say(path) }), {
        proposal: 'p1',
      });
    const history = [
      proposed,
      status('/tmp/a'),
      rejected('/etc/a'),
      rejected('/home/a'),
      status('', 'on it'),
    ];
    const owned = ownedRules(about, decidedByRules(history).get('s') ?? []);
    expect(owned.rules.map((one) => one.decided.count)).toEqual([1, 1, 0, 0]);
    expect(owned.otherwise?.decided.count).toBe(1);
    expect(owned.lately).toHaveLength(3);
    expect(owned.lately[0]).toMatchObject({ tool: 'write_file', proposal: 'p1' });
    // In a later version of the file the rule is recognised by its name; a rule without a name no
    // longer is.
    const later = rulesAnnouncement(rulesOf(RULES.replace('default: deny', 'default: ask')), 'guard').payload;
    const after = ownedRules({ ...about, announced: later }, decidedByRules(history).get('s') ?? []);
    expect(after.rules.map((one) => one.decided.count)).toEqual([1, 0, 0, 0]);
    expect(after.earlier.count).toBe(2);
  });
});

describe('a draft', () => {
  it('from one call covers exactly that call, or any content in its folder', () => {
    const call = callOf({
      server: 'fs',
      tool: 'write',
      arguments: { path: '/srv/app/a.txt', content: 'Hello there', mode: 'x' },
    });
    const [exact, wider, ...more] = draftRules(call, 'allow');
    expect(more).toEqual([]);
    expect(exact?.words).toBe(
      'Allow write by agent on fs if path is exactly "/srv/app/a.txt", content is exactly "Hello there", mode is exactly "x" and there are no arguments but path, content and mode.',
    );
    expect(wider?.rule.match).toMatchObject({
      argumentsEqual: { mode: 'x' },
      arguments: { path: '/srv/app/**', content: '**' },
    });
    const decide = (draft = exact, given: JsonObject = {}) =>
      decideByRules(rulesOf(draft?.text ?? ''), { ...call, arguments: { ...call.arguments, ...given } })
        .action;
    expect([decide(exact), decide(exact, { content: 'x' })]).toEqual(['allow', 'ask']);
    expect([decide(wider, { content: 'x' }), decide(wider, { path: '/srv/b' })]).toEqual(['allow', 'ask']);
    // An asterisk in a name would match other names.
    expect(draftRules({ ...call, tool: 'wr*te' }, 'allow')).toEqual([]);
    // A file of rules is no place for a secret.
    expect(draftRules({ ...call, arguments: { path: '/a', password: 'hunter2' } }, 'allow')).toEqual([]);
  });

  it("behind a participant's rules decides only what none of them matches", () => {
    const history = [
      past('deny', { path: '/etc/a' }),
      past('allow', { path: '/home/a' }),
      past('deny', { path: '/home/b' }),
      past(undefined, { path: '/home/c' }),
    ];
    const text = 'rules: [{ action: allow, match: { tool: write_file } }]';
    const tried = (behind?: Parameters<typeof readDraft>[1]) => {
      const draft = readDraft(text, behind);
      if (!draft.ok) throw new Error(draft.refusal.message);
      return finish(tryDraft(draft.value, history));
    };
    expect(tried()).toMatchObject({
      counts: { same: 1, different: 2, newly_automatic: 1, asked: 0 },
      already: 0,
      otherwise: 'Ask people about everything else.',
    });
    const behind = tried(rulesOf(RULES));
    expect(behind).toMatchObject({
      counts: { same: 1, different: 1, newly_automatic: 1, asked: 1 },
      already: 1,
    });
    expect(behind.different.map(({ proposal }) => proposal.call.arguments)).toEqual([{ path: '/home/b' }]);
    expect(behind.words).toMatchObject([{ words: 'Allow write_file.' }]);
  });

  it('reports its errors with positions, including a name that is taken', () => {
    expect(readDraft('rules: [{ action: alow, match: { tool: x } }]')).toMatchObject({ ok: false });
    const taken = readDraft('rules: [{ name: pay, action: allow, match: { tool: x } }]', rulesOf(RULES));
    expect(taken).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('has the same name') },
    });
  });
});
