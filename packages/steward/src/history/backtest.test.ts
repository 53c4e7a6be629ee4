import type { Envelope } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { past } from '../testing/past.js';
import { rulesOf } from '../testing/rules.js';
import { backtest, entryOfMessage, type HistoryEntry, pastProposals, suggestRules } from './index.js';

const RULES = rulesOf(`
rules:
  - { action: allow, match: { arguments: { path: /tmp/** } } }
  - { action: deny, match: { arguments: { path: /etc/** } } }`);

describe('a backtest', () => {
  it('counts what would have been the same, different, newly automatic and asked', () => {
    const history = [
      past('allow', { path: '/tmp/a' }),
      past('deny', { path: '/etc/a' }),
      past('deny', { path: '/tmp/b' }),
      past('amend', { path: '/tmp/c' }),
      past('allow', { path: '/etc/b' }),
      past(undefined, { path: '/tmp/d' }),
      past('allow', { path: '/home/a' }),
      past(undefined, { path: '/home/b' }),
    ];
    const { counts, cases, version } = backtest(RULES, history);
    expect(counts).toEqual({ same: 2, different: 3, newly_automatic: 1, asked: 2 });
    expect(version).toBe(RULES.version);
    expect(cases.map(({ comparison }) => comparison)).toEqual([
      'same',
      'same',
      'different',
      'different',
      'different',
      'newly_automatic',
      'asked',
      'asked',
    ]);
  });
});

describe('the history of decisions', () => {
  const params = (path: string): JsonObject => ({ name: 'write_file', arguments: { path } });
  const message = (from: string, kind: string, about: Partial<Envelope>): Envelope => ({
    protocol: 'mcpx/v0.1',
    id: `${from}-${kind}`,
    ts: '2026-11-16T12:00:00Z',
    from,
    kind,
    payload: {},
    ...about,
  });
  const propose = (id: string, path: string) =>
    message('agent', 'mcp.proposal.tools/call', {
      id,
      payload: { method: 'tools/call', params: params(path) },
    });
  const fulfil = (correlationId: string, path: string, from = 'ann') =>
    message(from, 'mcp.request.tools/call', {
      correlationId,
      to: ['files'],
      payload: { method: 'tools/call', params: params(path) },
    });
  const reject = (correlationId: string, reason: string, text = '') =>
    message('bob', 'mcpx.reject.proposal', { correlationId, payload: { reason, message: text } });
  const read = (...messages: readonly Envelope[]) =>
    pastProposals(messages.map(entryOfMessage).filter((entry): entry is HistoryEntry => entry !== undefined));

  it('has what was proposed, who would run it with which hints, and who decided', () => {
    const announced = message('files', 'mcpx.announce.tools', {
      payload: { tools: [{ name: 'write_file', annotations: { destructiveHint: false } }] },
    });
    expect(read(announced, propose('p1', '/a'), fulfil('p1', '/a'))).toEqual([
      {
        id: 'p1',
        call: {
          participant: 'agent',
          server: 'files',
          tool: 'write_file',
          arguments: { path: '/a' },
          annotations: { destructiveHint: false },
          time: Date.parse('2026-11-16T12:00:00Z'),
        },
        decided: { decision: 'allow', by: 'ann', at: Date.parse('2026-11-16T12:00:00Z'), automatic: false },
      },
    ]);
  });

  it('O-13, O-17: distinguishes changes from approvals, and judgements from excuses', () => {
    const history = read(
      propose('p1', '/a'),
      propose('p2', '/b'),
      propose('p3', '/c'),
      propose('p4', '/d'),
      reject('p1', 'unsafe'),
      fulfil('p1', '/other'),
      reject('p2', 'busy'),
      reject('p3', 'unsafe'),
      fulfil('p4', '/d', 'bob'),
      fulfil('p4', '/d'),
    );
    expect(history.map(({ decided }) => decided && `${decided.by} ${decided.decision}`)).toEqual([
      'ann amend',
      undefined,
      'bob deny',
      'bob allow',
    ]);
  });

  it("O-26: names a guard's tools the way the guard's rules do", () => {
    const named = (name: string, from = 'fs') =>
      read(
        message('fs', 'mcpx.announce.tools', { payload: { tools: [{ name }] } }),
        message(from, 'mcp.proposal.tools/call', {
          id: 'p1',
          payload: { method: 'tools/call', params: { name, arguments: {} } },
        }),
      )[0]?.call;
    expect(named('fs/write')).toMatchObject({ participant: 'fs', server: 'fs', tool: 'write' });
    expect(named('fs/files/write')).toMatchObject({ server: 'files', tool: 'write' });
    expect(named('write')).toMatchObject({ server: 'fs', tool: 'write' });
    // Only the guard itself proposes in its name.
    expect(named('fs/write', 'agent')).toMatchObject({ server: 'fs', tool: 'fs/write' });
  });

  it('O-17: suggests nothing from a call that one person ran and another rejected', () => {
    const some = ['p1', 'p2', 'p3'].flatMap((id) => [propose(id, '/a/b'), fulfil(id, '/a/b')]);
    expect(suggestRules(read(...some)).suggestions).toHaveLength(1);
    const disputed = [propose('p4', '/a/b'), reject('p4', 'unsafe'), fulfil('p4', '/a/b')];
    expect(suggestRules(read(...some, ...disputed)).suggestions).toEqual([]);
  });

  it('distinguishes decisions by rules from decisions by people', () => {
    const said = 'Why. [no rule, the default; rules 7@0123456789ab]';
    const status = message('steward', 'mcpx.status.proposal', {
      correlationId: 'p1',
      payload: { status: 'processing', message: said },
    });
    const history = read(
      propose('p1', '/a'),
      propose('p2', '/b'),
      status,
      fulfil('p1', '/a', 'steward'),
      reject('p2', 'policy', said),
    );
    expect(history.map(({ decided }) => decided?.automatic)).toEqual([true, true]);
  });

  it("O-41: a call allowed by a grant is not a person's decision, and suggests nothing", () => {
    const granted = (id: string): Envelope => {
      const request = fulfil(id, '/a/b');
      return { ...request, payload: { ...request.payload, grant: 'g1' } };
    };
    const some = ['p1', 'p2', 'p3'].flatMap((id) => [propose(id, '/a/b'), granted(id)]);
    expect(suggestRules(read(...some)).suggestions).toEqual([]);
  });
});
