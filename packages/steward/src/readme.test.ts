import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type CallFacts, decideByRules } from './index.js';
import { callOf, rulesOf } from './testing/rules.js';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];

describe('the rules in the README', () => {
  const decide = (facts: Partial<CallFacts>) => decideByRules(rulesOf(yaml), callOf(facts)).action;

  it('are valid, and decide as the text says', () => {
    const write = { server: 'filesystem', tool: 'write_file' };
    const given = { path: '/srv/app/a', encoding: 'utf8' };
    expect(decide({ ...write, arguments: given })).toBe('allow');
    expect(decide({ ...write, arguments: { ...given, force: true } })).toBe('ask');
    expect(decide({ ...write, arguments: { ...given, path: '/srv/app/secrets/key' } })).toBe('deny');
    expect(decide({ ...write, arguments: { ...given, path: '/srv/app/x/../secrets/key' } })).toBe('deny');
    const pay = (amount: number, to = ['a@example.org']) =>
      decide({ tool: 'pay', arguments: { amount, currency: 'EUR', to } });
    expect([pay(100), pay(500), pay(1001), pay(100, ['a@evil'])]).toEqual(['allow', 'ask', 'deny', 'ask']);
    const run = (command: string) => decide({ tool: 'shell', arguments: { command } });
    expect([run('git log src/a.ts'), run('git log; rm x')]).toEqual(['allow', 'ask']);
    const docs = { method: 'resources/read', tool: 'resources/read', client: 'claude-code' };
    expect(decide({ ...docs, arguments: { uri: 'file:///srv/app/docs/a' } })).toBe('allow');
    expect(decide({ tool: 'deploy_site' })).toBe('ask');
    expect(decide({ tool: 'deploy_site', time: Date.UTC(2027, 0, 4, 12) })).toBe('deny');
    expect(decide({ tool: 'deploy_site', time: Date.UTC(2026, 10, 15) })).toBe('deny');
    expect(decide({ annotations: { readOnlyHint: true } })).toBe('allow');
    expect(decide({ server: 'filesystem', annotations: { readOnlyHint: true } })).toBe('ask');
  });
});
