import { createHash } from 'node:crypto';
import { decideByRules, parseRules, type RuleSet } from '@proffer/steward';
import { describe, expect, it } from 'vitest';
import { guardInProcess, type InProcessOptions } from '../../testing/in-process.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { decisionsIn, missingIn, recordedMessages } from '../testing/recorded-messages.js';

const RULES = `
version: first
default: ask
rules:
  - name: only reads
    action: allow
    match: { tool: read }
  - name: nothing is written
    action: deny
    match: { tool: append }
    reason: Ask somebody else to write.
`;

function rulesOf(text: string): RuleSet {
  const parsed = parseRules(text, 'rules.yaml');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

const rules = rulesOf(RULES);

const guarded = (space: TestSpace, options: InProcessOptions = {}) =>
  guardInProcess(space, { decide: (call) => decideByRules(rules, call), ...options });

describe("decisions by a guard's rules", () => {
  it('are in the history: which rule, which version, which call, and why', async () => {
    await using space = await startSpace();
    {
      await using here = await guarded(space);
      await here.client.callTool({ name: 'read', arguments: {} });
      const denied = await here.client.callTool({ name: 'append', arguments: { line: 'one' } });
      expect(denied).toMatchObject({ _meta: { 'proffer/outcome': { code: 'denied' } } });
    }
    const messages = await recordedMessages(space);
    expect(messages.map(({ from, to }) => [from, to])).toContainEqual(['notes', ['notes']]);
    const { version } = rules;
    expect(version).toMatch(/^first@/);
    expect(decisionsIn(messages)).toMatchObject([
      { action: 'allow', tool: 'notes/read', rule: { name: 'only reads', line: 5 }, version },
      {
        action: 'deny',
        tool: 'notes/append',
        arguments: { line: 'one' },
        rule: { name: 'nothing is written', line: 8 },
        reason: 'Ask somebody else to write.',
        version,
      },
    ]);
    const said = JSON.stringify(messages.map(({ payload }) => payload['text']));
    expect(said).toContain('Denied by rules: notes/append. Ask somebody else to write.');
    expect(said).toContain(`rules ${version}]`);
  });

  it('are recorded only for denials if so configured', async () => {
    await using space = await startSpace();
    {
      await using here = await guarded(space, { recorded: 'denials' });
      await here.client.callTool({ name: 'read', arguments: {} });
      await here.client.callTool({ name: 'append', arguments: { line: 'one' } });
    }
    expect(decisionsIn(await recordedMessages(space)).map(({ action }) => action)).toEqual(['deny']);
  });

  it('I-7: delay no call, also while the gateway is away; the excess is counted, and denials are kept', async () => {
    await using space = await startSpace();
    await using here = await guarded(space);
    await here.client.callTool({ name: 'read', arguments: {} });
    await space.stop();
    await here.client.callTool({ name: 'append', arguments: { line: 'one' } });
    // More than wait and are on their way: a quick guard has half a thousand in the message that it is sending.
    const times = 2_000;
    for (let index = 0; index < times; index++) await here.client.callTool({ name: 'read', arguments: {} });
    await here.client.callTool({ name: 'append', arguments: { line: 'two' } });
    await space.start();
    await expect
      .poll(
        async () => decisionsIn(await recordedMessages(space)).filter(({ action }) => action === 'deny'),
        {
          timeout: 20_000,
        },
      )
      .toHaveLength(2);
    const messages = await recordedMessages(space);
    const missing = missingIn(messages);
    expect(missing).toBeGreaterThan(0);
    expect(decisionsIn(messages).length + missing).toBe(times + 3);
  }, 40_000);

  it('are distinct from asked calls: a token without the capability is reported once, and calls continue', async () => {
    const hash = createHash('sha256').update('quiet').digest('hex');
    await using space = await startSpace(`
dev: true
spaces: { main: {} }
participants:
  quiet:
    tokens: ['sha256:${hash}']
    spaces: { main: [mcp.proposal.*, mcp.response.*, mcpx.announce.*] }
`);
    const logged: string[] = [];
    await using here = await guarded(space, { name: 'quiet', log: (line) => void logged.push(line) });
    for (let index = 0; index < 3; index++) {
      expect(await here.client.callTool({ name: 'read', arguments: {} })).toMatchObject({ content: [{}] });
    }
    await expect.poll(() => logged).toEqual([expect.stringContaining('lacks the capability chat.message')]);
  });

  it('show long arguments only as far as needed to recognise them', async () => {
    await using space = await startSpace();
    {
      await using here = await guarded(space);
      await here.client.callTool({ name: 'append', arguments: { line: 'x'.repeat(100_000), more: 1 } });
    }
    const [{ arguments: args } = { arguments: {} }] = decisionsIn(await recordedMessages(space));
    expect(args).toEqual({ line: `${'x'.repeat(200)}… (100000 characters)`, more: 1 });
  });
});
