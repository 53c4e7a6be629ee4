import { describe, expect, it } from 'vitest';
import { startDevGateway } from '../../testing/dev-gateway.js';
import { openSession } from '../../testing/negotiating.js';

describe('following a negotiation', () => {
  it('I-6: watch continues while the gateway is away, and ends with the session', async () => {
    await using gateway = await startDevGateway();
    await using session = await openSession(gateway);
    const watching = gateway.start('negotiate', 'watch', session.sessionId);
    await watching.until(/buyer +starts +a price/);
    const stopped = gateway.start('negotiate', 'watch', session.sessionId, '--json');
    await stopped.until(/"sequence":1/);
    stopped.interrupt();
    expect((await stopped.ended).code).toBe(0);
    await gateway.stop();
    await watching.until(/gateway lost; reconnecting/);
    await gateway.restart();
    await session.propose('p1', 'Ten', { sender: 'seller' });
    await session.cancel({ reason: 'enough' });
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.slice(0, 1))).toEqual(['1', '2', '3', '']);
    expect(stdout).toMatch(/3 .*buyer +cancels +enough/);
  });

  it('N-12, I-3: replay goes through the same states from the gateway and from the journal', async () => {
    await using gateway = await startDevGateway();
    await using session = await openSession(gateway);
    const { sessionId } = session;
    await session.propose('p1', 'Ten', { sender: 'seller' });
    await session.accept('p1', { sender: 'seller' });
    await session.suspend();
    await session.resume();
    await session.commit({ action: 'sold', authorityScope: 'shop', reason: 'ok' });
    const replay = async (...args: readonly string[]) => {
      const { stdout } = await gateway.run('negotiate', 'replay', sessionId.slice(0, 13), '--json', ...args);
      const lines = stdout.trimEnd().split('\n');
      return lines.map((line) => {
        // Only the journal knows when each was accepted.
        const { time: _time, ...moment } = JSON.parse(line) as Record<string, unknown>;
        return moment;
      });
    };
    const [live, journalled, beginning, shown] = await Promise.all([
      replay(),
      replay('--data', gateway.data),
      replay('--until', '2'),
      gateway.run('negotiate', 'replay', sessionId),
    ]);
    expect(journalled).toEqual(live);
    expect(beginning).toEqual(live.slice(0, 2));
    expect(live.map(({ state, phase }) => `${String(state)} ${String(phase)}`)).toEqual([
      'OPEN Negotiating',
      'OPEN Negotiating',
      'OPEN Negotiating',
      'SUSPENDED Negotiating',
      'OPEN Negotiating',
      'RESOLVED Committed',
    ]);
    expect(live.map(({ outcomes }) => (outcomes as string[]).length)).toEqual([0, 0, 2, 0, 2, 0]);
    expect(shown.stdout).toMatch(
      /seller accepts p1\n +OPEN · Negotiating · live: p1\n +accepts: seller → p1\n/,
    );
    expect(shown.stdout).toContain('can be committed: positive or negative');
    const stepping = gateway.start('negotiate', 'replay', sessionId, '--step', '--until', '2');
    expect(await stepping.until(/starts/)).not.toMatch(/proposes/);
    stepping.type('\n');
    await stepping.until(/proposes/);
    stepping.type('\n');
    expect((await stepping.ended).code).toBe(0);
  });
});
