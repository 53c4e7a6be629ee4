import { observedIn } from '@proffer/core/operations';
import { decideByRules, parseRules } from '@proffer/steward';
import { expect, it } from 'vitest';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace } from '../../testing/space.js';
import { decisionsIn, recordedMessages } from '../testing/recorded-messages.js';

const parsed = parseRules(`
default: ask
rules:
  - { action: allow, match: { tool: read } }
  - { action: deny, match: { tool: append, arguments: { line: never } } }
`);

it('O-50: a guard that watches passes every call on, asks nobody, and records what would have been asked', async () => {
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const { value: rules } = parsed;
  await using space = await startSpace();
  let isWatching = true;
  const reviewer = await space.join('reviewer');
  {
    await using here = await guardInProcess(space, {
      decide: (call) => decideByRules(rules, call),
      // The question whether the server's hints count is one, too.
      hints: () => undefined,
      isWatching: () => isWatching,
      recorded: 'denials',
    });
    await here.client.listTools();
    for (const line of ['one', 'never'])
      expect(await here.client.callTool({ name: 'append', arguments: { line } })).toMatchObject({
        content: [{}],
      });
    await here.client.callTool({ name: 'read', arguments: {} });
    const seen = async () => (await recordedMessages(space)).flatMap(({ payload }) => observedIn(payload, 0));
    await expect.poll(async () => (await seen()).length).toBe(3);
    expect(await seen()).toMatchObject([
      { would: 'ask', tool: 'notes/append', arguments: { line: 'one' } },
      { would: 'deny', tool: 'notes/append', arguments: { line: 'never' } },
      { would: 'allow', tool: 'notes/read' },
    ]);
    expect(decisionsIn(await recordedMessages(space))).toEqual([]);
    expect(reviewer.pending).toEqual([]);
    isWatching = false;
    const asked = here.client.callTool({ name: 'append', arguments: { line: 'two' } });
    await expect.poll(() => reviewer.pending.length).toBeGreaterThan(0);
    for (const proposal of reviewer.pending) await reviewer.reject(proposal.id, 'policy');
    expect(await asked).toMatchObject({ isError: true });
  }
});
