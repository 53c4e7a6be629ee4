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

describe('client in Python', () => {
  it('O-26: runs an approved call once, and the approver sees the result', async () => {
    const { output } = ask('approved');
    const result = await reviewing.reviewer.fulfil(await reviewing.pending('approved'));
    expect(result).toMatchObject({ structuredContent: { output: { done: { amount: 5 } } } });
    expect(await output).toBe('running approved {"amount": 5}\n{"done": {"amount": 5}}\n');
  });

  it('says where it waits, and how to open the inbox there', async () => {
    const { output, until } = ask('waits');
    const origin = reviewing.url.replace('ws:', 'http:');
    expect(await until(/To open the inbox: .*\n/)).toBe(
      `Waiting for a decision at ${origin}. To open the inbox: ${origin}/console/main/inbox\n`,
    );
    await reviewing.reviewer.fulfil(await reviewing.pending('waits'));
    await output;
  });

  it('O-13: runs an edited call once, with the approved arguments', async () => {
    const { output } = ask('edited');
    const proposal = await reviewing.pending('edited');
    await reviewing.reviewer.fulfil(proposal, { name: 'edited', arguments: { amount: 4 } });
    expect(await output).toBe('running edited {"amount": 4}\n{"done": {"amount": 4}}\n');
  });

  it('O-31: does not run a rejected call, and reports why', async () => {
    const { output } = ask('rejected');
    await reviewing.reviewer.reject((await reviewing.pending('rejected')).id, 'policy', 'Not on a Friday.');
    expect(await output).toMatch(/^rejected: .*Not on a Friday\./);
  });

  it('O-19: does not run an expired call', async () => {
    expect(await ask('expired', ['--ttl', '300']).output).toMatch(/^expired: /);
  });

  it('O-15, O-12: withdraws a cancelled call, and a late approval runs nothing', async () => {
    const { child, output } = ask('cancelled');
    const proposal = await reviewing.pending('cancelled');
    child.kill('SIGTERM');
    expect(await output).toMatch(/^cancelled: /);
    await expect(reviewing.reviewer.fulfil(proposal)).rejects.toThrow(ProposalNotPendingError);
  });

  it('does not run a call while the gateway is down', async () => {
    expect(await ask('down', ['--timeout', '0.3'], 'ws://127.0.0.1:9').output).toMatch(/^unreachable: /);
  });

  it('I-1: keeps waiting when the gateway is killed, and runs the call once', async () => {
    const { output } = ask('waiting');
    await reviewing.pending('waiting');
    await reviewing.restart();
    await approveWhenBack('waiting');
    expect(await output).toBe('running waiting {"amount": 5}\n{"done": {"amount": 5}}\n');
  });

  it('O-3: finds the same proposal after the agent is killed, and runs the call once', async () => {
    const { child } = ask('killed');
    const before = await reviewing.pending('killed');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { output } = ask('killed');
    expect(await approveWhenBack('killed')).toBe(before.id);
    expect(await output).toBe('running killed {"amount": 5}\n{"done": {"amount": 5}}\n');
    // A later run gets the recorded result.
    expect(await ask('killed').output).toBe('{"done": {"amount": 5}}\n');
  });
});

/** An approval waits three seconds for the executor, which on a busy machine may take longer to reconnect. */
async function approveWhenBack(tool: string): Promise<string> {
  const proposal = await reviewing.pending(tool);
  await expect.poll(() => reviewing.reviewer.fulfil(proposal)).toBeDefined();
  return proposal.id;
}
