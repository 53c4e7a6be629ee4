import { PROTOCOL } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { describeWatched } from '@proffer/core/words';
import { describe, expect, it } from 'vitest';
import { decideByRules } from '../rules/decide-by-rules.js';
import { parseRules } from '../rules/parse-rules.js';
import type { HistoryEntry } from './past-proposals.js';
import { summarizeWatched } from './watch-summary.js';

const DAY = 86_400_000;

function watched(principal: string, ...observed: readonly JsonObject[]): HistoryEntry {
  const envelope = {
    protocol: PROTOCOL,
    id: 'm',
    ts: '',
    from: principal,
    kind: 'chat.message',
    payload: { text: '', observed },
  } as const;
  return { type: 'chatted', time: DAY, principal, envelope };
}

const command = (text: string, more: JsonObject = {}): JsonObject => ({
  would: 'ask',
  tool: 'claude-code/Bash',
  server: 'claude-code',
  arguments: { command: text },
  open: text.split(' && ').map((one) => ({ server: 'claude-code', tool: 'Bash', command: one })),
  ...more,
});
const edit = (path: string): JsonObject => ({
  would: 'ask',
  tool: 'claude-code/Edit',
  server: 'claude-code',
  open: [{ server: 'claude-code', tool: 'Edit', path: [path] }],
});
const suggestedFor = (...observed: readonly JsonObject[]) =>
  summarizeWatched([watched('claude-code', ...observed)])?.suggested.map(({ rule, calls }) => [
    rule.match,
    calls.size,
  ]);

describe('what was only watched', () => {
  it('O-50: is counted, with the rules that would have answered, and is no decision of anyone', () => {
    const read = { would: 'allow', tool: 'claude-code/Bash', server: 'claude-code', reads: true };
    const summary = summarizeWatched([
      watched('claude-code', {
        ...read,
        calls: [{ at: '1970-01-02T00:00:00Z' }, { at: '1970-01-03T00:00:00Z' }],
      }),
      watched('claude-code', { ...read, reads: false }, ...[1, 2, 3].map(() => command('npm test'))),
      watched('claude-code', command('rm -rf x'), command('proffer x', { would: 'deny', isProtected: true })),
    ]);
    expect(summary).toMatchObject({
      calls: 8,
      reads: 2,
      allowed: 1,
      asked: 4,
      denied: 1,
      rules: 1,
      answered: 3,
    });
    if (summary === undefined) throw new Error('nothing');
    expect(describeWatched(summary, 4 * DAY)).toBe(
      "In 3 days: 8 calls, 2 only read, 1 allowed by rules or the agents' own settings, 1 would have been denied, 4 would have been asked about. 1 rule would answer 3 of them.",
    );
    expect(summarizeWatched([])).toBeUndefined();
    expect(summarizeWatched([watched('a', read)], { since: 2 * DAY })).toBeUndefined();
  });

  it('suggests the narrowest rules, and none for what nobody should allow by habit', () => {
    const often = (text: string) => [command(text), command(text), command(text)];
    expect(suggestedFor(...often('make'))).toEqual([
      [{ server: 'claude-code', tool: 'Bash', command: 'make' }, 3],
    ]);
    expect(
      suggestedFor(command('git commit -m a'), command('git commit -m b'), command('git commit --amend')),
    ).toEqual([[{ server: 'claude-code', tool: 'Bash', command: 'git commit **' }, 3]]);
    expect(suggestedFor(command('git push a'), command('git push b'), command('git push c'))).toEqual([]);
    expect(suggestedFor(command('npm run a x'), command('npm run b x'), command('npm run c x'))).toEqual([]);
    expect(suggestedFor(command('python3 a.py'), command('python3 b.py'), command('python3 c.py'))).toEqual(
      [],
    );
    expect(suggestedFor(command('rm -rf a'), command('rm -rf b'), command('rm -rf c'))).toEqual([]);
    expect(suggestedFor(edit('/app/src/a.ts'), edit('/app/src/b.ts'), edit('/app/src/b.ts'))).toEqual([
      [{ server: 'claude-code', tool: 'Edit', path: '/app/src/**' }, 3],
    ]);
    expect(suggestedFor(...often('login --password hunter2'))).toEqual([]);
    expect(suggestedFor(edit('/a'), edit('/b'), edit('/c'))).toEqual([]);
  });

  it('counts a call as answered only if every part of it is', () => {
    const both = [1, 2, 3].map(() => command('npm test && make'));
    expect(summarizeWatched([watched('claude-code', ...both)])).toMatchObject({ rules: 2, answered: 3 });
    const twice = [1, 2, 3].map(() => command('make && make'));
    expect(summarizeWatched([watched('claude-code', ...twice)])).toMatchObject({ rules: 1, answered: 3 });
    const half = ['a', 'b', 'c'].map((name) => command(`npm test && rm ${name}`));
    expect(summarizeWatched([watched('claude-code', ...half)])).toMatchObject({ rules: 1, answered: 0 });
  });

  it("suggests rules for guards by their calls' arguments, and for nothing that is protected or was cut", () => {
    const call = (line: string) => ({
      would: 'ask',
      tool: 'notes/append',
      server: 'notes',
      arguments: { line },
    });
    const summary = summarizeWatched([watched('notes', call('a'), call('a'), call('a'))]);
    expect(summary).toMatchObject({ rules: 1, answered: 3 });
    const text = JSON.stringify({ rules: summary?.suggested.map(({ rule }) => rule) });
    const parsed = parseRules(text);
    if (!parsed.ok) throw new Error(parsed.refusal.message);
    const facts = { participant: 'notes', server: 'notes', tool: 'append', time: 0 };
    expect(decideByRules(parsed.value, { ...facts, arguments: { line: 'a' } }).action).toBe('allow');
    expect(decideByRules(parsed.value, { ...facts, arguments: { line: 'b' } }).action).toBe('ask');
    const long = call('aaa… (9000 characters)');
    expect(summarizeWatched([watched('notes', long, long, long)])?.rules).toBe(0);
    const secret = { ...call('a'), isProtected: true };
    expect(summarizeWatched([watched('notes', secret, secret, secret)])?.rules).toBe(0);
  });

  it('says what it has to say about odd records: nothing', () => {
    const odd = [{ would: 'approve' }, { calls: 7 }, { would: 'ask', open: [null, 7], calls: [null] }, 7];
    expect(summarizeWatched([watched('a', ...(odd as JsonObject[]))])?.calls ?? 0).toBe(0);
  });
});
