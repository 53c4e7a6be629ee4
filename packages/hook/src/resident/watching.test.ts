import { startWatching, stopWatching } from '@proffer/client/machine';
import type { JsonObject } from '@proffer/core/json';
import { type ObservedCall, observedIn } from '@proffer/core/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

const RULES = `
default: ask
rules:
  - { name: look, action: allow, match: { annotations: { readOnlyHint: true } } }
  - { name: no zap, action: deny, match: { command: zap ** } }
`;

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace(RULES);
  startWatching(space.folder, Date.now());
});
afterAll(() => space[Symbol.asyncDispose]());

type Message = { readonly kind: string; readonly from: string; readonly payload: JsonObject };
const messages = async (): Promise<readonly Message[]> => {
  const response = await fetch(`${space.url}/spaces/main/feed`, {
    headers: { authorization: 'Bearer reviewer' },
  });
  return ((await response.json()) as { readonly messages: readonly Message[] }).messages;
};
const observed = async (from: string): Promise<readonly ObservedCall[]> =>
  (await messages())
    .filter((message) => message.from === from)
    .flatMap(({ payload }) => observedIn(payload, 0));

describe('a hook that only watches', () => {
  it('O-50: asks nobody, holds and denies nothing, and records what would have become of each call', async () => {
    const lines = ['ls -la', 'npm test', 'zap x', 'proffer approve x', 'x=1; eval y'];
    for (const agent of AGENT_IDS)
      for (const line of lines) expect(await space.call(agent, line)).toEqual({ does: 'own' });
    for (const agent of AGENT_IDS) {
      await expect.poll(async () => (await observed(agent)).length).toBe(lines.length);
      const [look, test, zap, own, unclear] = await observed(agent);
      expect(look).toMatchObject({ would: 'allow', reads: true });
      expect(look).not.toHaveProperty('arguments');
      const { tool } = test as ObservedCall;
      expect(test).toMatchObject({ would: 'ask', open: [{ server: agent, command: 'npm test' }] });
      expect([zap?.would, zap?.arguments?.['command'], zap?.tool]).toEqual(['deny', 'zap x', tool]);
      expect(own).toMatchObject({ would: 'deny', isProtected: true });
      expect(unclear).toMatchObject({ would: 'ask', isProtected: true });
    }
    const said = await messages();
    expect(said.filter(({ kind }) => kind.startsWith('mcp.'))).toEqual([]);
    // Nothing that reads decisions takes it for one.
    expect(said.flatMap(({ payload }) => payload['decisions'] ?? [])).toEqual([]);
  });

  it('O-50: records a call once that the agent asks about twice', async () => {
    const before = (await observed('claude-code')).length;
    const event = 'PermissionRequest';
    const input = { ...AGENTS['claude-code'].sample('/home/ada/app', 'make twice'), hook_event_name: event };
    await space.call('claude-code', 'make twice');
    expect(await space.call('claude-code', 'make twice', { event, input })).toEqual({ does: 'own' });
    await space.call('claude-code', 'make last');
    await expect
      .poll(async () => (await observed('claude-code')).at(-1)?.arguments?.['command'])
      .toBe('make last');
    expect((await observed('claude-code')).length).toBe(before + 2);
  });

  it('O-50: does not get in the way of the agent when the gateway is away or the event is odd', async () => {
    await space.stopGateway();
    expect(await space.call('codex', 'npm run build')).toEqual({ does: 'own' });
    await space.startGateway();
    await expect
      .poll(async () => (await observed('codex')).map(({ arguments: given }) => given?.['command']), {
        timeout: 20_000,
      })
      .toContain('npm run build');
    const odd = { input: Buffer.from('{"tool_name": 7}'), otherwise: 'deny' } as const;
    expect(await space.call('claude-code', '', odd)).toEqual({ does: 'own' });
  });

  it('asks again as soon as it is told to', async () => {
    stopWatching(space.folder);
    const asked = space.call('claude-code', 'make again');
    await (await space.proposalFor('make again')).reject('policy');
    expect(await asked).toMatchObject({ does: 'refuses' });
    startWatching(space.folder, Date.now());
  });
});
