import { once } from 'node:events';
import { ProposalNotPendingError } from '@proffer/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PythonAgent, startPython } from './python-agent.js';
import { type Reviewing, startReviewing } from './reviewing.js';

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await startReviewing();
});
afterAll(() => reviewing[Symbol.asyncDispose]());

function ask(tool: string, options: readonly string[] = [], url = reviewing.url): PythonAgent {
  return startPython(url, 'ask.py', [tool, '{"amount": 5}', '--session', tool, ...options]);
}

describe('the client in Python', () => {
  it('O-26: approved: runs once, and whoever approved it sees the result', async () => {
    const { output } = ask('approved');
    const result = await reviewing.reviewer.fulfil(await reviewing.pending('approved'));
    expect(result).toMatchObject({ structuredContent: { output: { done: { amount: 5 } } } });
    expect(await output).toBe('running approved {"amount": 5}\n{"done": {"amount": 5}}\n');
  });

  it('O-13: edited: runs once, with the arguments as they were approved', async () => {
    const { output } = ask('edited');
    const proposal = await reviewing.pending('edited');
    await reviewing.reviewer.fulfil(proposal, { name: 'edited', arguments: { amount: 4 } });
    expect(await output).toBe('running edited {"amount": 4}\n{"done": {"amount": 4}}\n');
  });

  it('O-31: rejected: does not run, and says why', async () => {
    const { output } = ask('rejected');
    await reviewing.reviewer.reject((await reviewing.pending('rejected')).id, 'policy', 'Not on a Friday.');
    expect(await output).toMatch(/^rejected: .*Not on a Friday\./);
  });

  it('O-19: expired: does not run', async () => {
    expect(await ask('expired', ['--ttl', '300']).output).toMatch(/^expired: /);
  });

  it('O-15, O-12: cancelled: is withdrawn, and an approval that comes too late runs nothing', async () => {
    const { child, output } = ask('cancelled');
    const proposal = await reviewing.pending('cancelled');
    child.kill('SIGTERM');
    expect(await output).toMatch(/^cancelled: /);
    await expect(reviewing.reviewer.fulfil(proposal)).rejects.toThrow(ProposalNotPendingError);
  });

  it('gateway down: does not run', async () => {
    expect(await ask('down', ['--timeout', '0.3'], 'ws://127.0.0.1:9').output).toMatch(/^unreachable: /);
  });

  it('I-1: gateway killed while it waits: the wait goes on when it is back, and the call runs once', async () => {
    const { output } = ask('waiting');
    await reviewing.pending('waiting');
    await reviewing.restart();
    await approveWhenBack('waiting');
    expect(await output).toBe('running waiting {"amount": 5}\n{"done": {"amount": 5}}\n');
  });

  it('O-3: agent killed while it waits: the next one finds the same proposal, and the call runs once', async () => {
    const { child } = ask('killed');
    const before = await reviewing.pending('killed');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { output } = ask('killed');
    expect(await approveWhenBack('killed')).toBe(before.id);
    expect(await output).toBe('running killed {"amount": 5}\n{"done": {"amount": 5}}\n');
    // And the one after that gets what was recorded.
    expect(await ask('killed').output).toBe('{"done": {"amount": 5}}\n');
  });
});

/** Approving waits three seconds for whoever runs it; on a busy machine that may need longer to come back. */
async function approveWhenBack(tool: string): Promise<string> {
  const proposal = await reviewing.pending(tool);
  await expect.poll(() => reviewing.reviewer.fulfil(proposal)).toBeDefined();
  return proposal.id;
}
