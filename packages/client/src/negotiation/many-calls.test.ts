import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/gateway.js';
import { ProposalSession } from './session/proposal-session.js';
import { participant, WAYS } from './testing/ways.js';

const MANY = 60;

/** The warnings of this process during a call, including the next event loop turn. */
async function warningsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
  process.on('warning', note);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  return warnings;
}

describe.each(WAYS)('many calls at once over $name', (way) => {
  it('one signal shared by all of them is not a leak, and aborts them all', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    const controller = new AbortController();
    const { signal } = controller;
    const all = (): Promise<unknown>[] => Array.from({ length: MANY }, () => client.listModes({ signal }));
    expect(await warningsOf(() => Promise.all(all()))).toEqual([]);
    const ended = all();
    controller.abort(new Error('enough'));
    for (const outcome of await Promise.allSettled(ended)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    }
  });

  it('one connection for many calls and many followers is not a leak', async () => {
    await using gateway = await startTestGateway();
    await using client = participant(way, way.port(gateway), 'ann');
    await using session = new ProposalSession(client);
    await session.start({ intent: 'agree', participants: ['ann', 'bob'], ttlMs: 60_000 });
    const controller = new AbortController();
    const { signal } = controller;
    const warnings = await warningsOf(async () => {
      const following = Array.from({ length: MANY }, async () => {
        for await (const { sequence } of client.subscribe(session.sessionId, { signal })) {
          if (sequence === 1) return sequence;
        }
        return 0;
      });
      const asked = Array.from({ length: MANY }, () => client.getSession(session.sessionId));
      expect(await Promise.all(following)).toEqual(Array.from({ length: MANY }, () => 1));
      await Promise.all(asked);
    });
    expect(warnings).toEqual([]);
  });
});
