import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS, type AgentId } from '../agents/index.js';
import { TRIED_EVENT } from '../launch/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';
import { reportOf } from '../testing/reports.js';

let space: HookSpace;
let folder: string;
beforeAll(async () => {
  space = await startHookSpace('default: ask\nrules: [{ action: allow, match: { command: ls ** } }]');
  folder = mkdtempSync(join(tmpdir(), 'proffer-transcript-'));
});
afterAll(async () => {
  await space[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const stateOf = async (id: string): Promise<unknown> => {
  const headers = { authorization: 'Bearer reviewer' };
  const response = await fetch(`${space.url}/spaces/main/proposals/${id}`, { headers });
  const { proposal } = (await response.json()) as { readonly proposal: unknown };
  return proposal;
};

/** A command that was asked about, approved, and that the agent was told to run. */
async function allowed(agent: AgentId, command: string): Promise<string> {
  const called = space.call(agent, command);
  const { id } = await space.approve(command);
  await called;
  return id;
}

describe('the report of an agent', () => {
  it.each(AGENT_IDS.filter((agent) => agent !== 'codex'))(
    'O-46: %s: a failure is a failure',
    async (agent) => {
      const id = await allowed(agent, `${agent} fails`);
      await space.report(agent, `${agent} fails`, 'failed');
      await expect.poll(() => stateOf(id)).toMatchObject({ phase: 'settled', outcome: { result: 'error' } });
      expect(await stateOf(id)).not.toHaveProperty('outcome.notRun');
    },
  );

  it.each([
    [0, 'ok'],
    [3, 'error'],
  ] as const)('O-46: codex: exit code %i in its transcript is %s', async (code, result) => {
    const transcript = join(folder, `${code}.jsonl`);
    const command = `codex exits with ${code}`;
    const id = await allowed('codex', command);
    const item = { type: 'CommandExecution', id: 'call_test', exit_code: code };
    appendFileSync(transcript, `{"type":"cut off\n${JSON.stringify({ payload: { item } })}\n`);
    const { event, input } = reportOf('codex', '/home/ada/app', command, 'ok');
    await space.call('codex', command, { event, input: { ...input, transcript_path: transcript } });
    await expect.poll(() => stateOf(id)).toMatchObject({ outcome: { result } });
  });

  it('O-46: settles one call only, and of equal ones the oldest', async () => {
    const first = await allowed('gemini-cli', 'make twice');
    const again = space.call('gemini-cli', 'make twice');
    const pending = () =>
      space.reviewer.pending.find(({ id, proposer }) => proposer === 'gemini-cli' && id !== first);
    await expect.poll(pending).toBeDefined();
    const proposal = pending();
    if (proposal === undefined) throw new Error('It is gone.');
    await space.reviewer.approve(proposal);
    await again;
    const second = proposal.id;
    await space.report('gemini-cli', 'make twice', 'failed');
    await expect.poll(() => stateOf(first)).toMatchObject({ outcome: { result: 'error' } });
    expect(await stateOf(second)).toMatchObject({ phase: 'allowed' });
    await space.report('gemini-cli', 'make twice', 'ok');
    await expect.poll(() => stateOf(second)).toMatchObject({ outcome: { result: 'ok' } });
  });

  it('O-46: another call, and a call that nobody was asked about, settle nothing', async () => {
    const id = await allowed('claude-code', 'make it');
    const { event, input } = reportOf('claude-code', '/home/ada/app', 'make it', 'ok');
    await space.call('claude-code', '', { event, input: { ...input, tool_use_id: 'toolu_other' } });
    await space.call('claude-code', '', { event, input: { ...input, session_id: 'another' } });
    await space.call('claude-code', 'ls');
    await space.report('gemini-cli', 'ls', 'ok');
    await space.report('claude-code', 'make it', 'ok');
    await expect.poll(() => stateOf(id)).toMatchObject({ outcome: { result: 'ok' } });
  });

  it('O-46: of another command is no report that the approved one ran', async () => {
    const id = await allowed('claude-code', 'make this');
    const { event, input } = reportOf('claude-code', '/home/ada/app', 'rm -rf that', 'ok');
    await space.call('claude-code', '', { event, input });
    await expect.poll(() => stateOf(id)).toMatchObject({ outcome: { result: 'error', notRun: true } });
  });

  it('O-46: counts after the process behind the hook was replaced', async () => {
    const ids = new Map<AgentId, string>();
    for (const agent of AGENT_IDS) ids.set(agent, await allowed(agent, `${agent} goes on`));
    await space.restartResident();
    for (const id of ids.values()) expect(await stateOf(id)).toMatchObject({ phase: 'allowed' });
    for (const agent of AGENT_IDS) await space.report(agent, `${agent} goes on`, 'ok');
    for (const id of ids.values())
      await expect.poll(() => stateOf(id)).toMatchObject({ outcome: { result: 'ok' } });
  });

  it('O-46: of a sample call says that nothing ran', async () => {
    const id = await allowed('claude-code', 'make a sample');
    const input = AGENTS['claude-code'].sample('/home/ada/app', 'make a sample');
    await space.call('claude-code', '', { event: TRIED_EVENT, input });
    await expect.poll(() => stateOf(id)).toMatchObject({ outcome: { result: 'error', notRun: true } });
  });

  it.each(AGENT_IDS)('O-46: %s: is never an objection, whatever it says', async (agent) => {
    const [event = ''] = AGENTS[agent].reports;
    for (const input of [Buffer.from('no JSON'), Buffer.from('[]'), {}, { tool_name: 'x', tool_input: {} }])
      expect(await space.call(agent, '', { event, input })).toEqual({ does: 'own' });
  });
});
