import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  connect,
  OperationFailedError,
  OutcomeUnknownError,
  type Participant,
  ProposalNotPendingError,
} from '@proffer/client';
import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, it } from 'vitest';
import { FAULT_POINTS, type Fault, type FaultPoint } from './testing/faults.js';
import { freePort } from './testing/free-port.js';
import { programs } from './testing/programs.js';
import { type RawGuard, startRawGuard } from './testing/raw-guard.js';
import { serveSpace } from './testing/serve-space.js';

const long = process.env['PROFFER_LONG'] !== undefined;

/** The points before which nothing can have run: a repeated call is simply done. */
const HARMLESS: ReadonlySet<FaultPoint> = new Set(['proposal stored', 'progress sent']);

/** A guard that can be killed and restarted, with the gateway in its own process or a separate one. */
async function place({ isHost }: { readonly isHost: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-kills-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const journal = join(folder, 'journal');
  const gateway = isHost ? undefined : await serveSpace({ journal, port });
  const file = join(folder, 'notes.txt');
  return {
    start: (dieAt?: Fault): Promise<RawGuard> =>
      startRawGuard({
        url,
        name: 'notes',
        pins: join(folder, 'pins.json'),
        server: [process.execPath, programs.notes, file],
        ...(isHost ? { journal } : {}),
        ...defined({ dieAt }),
      }),
    join: (): Promise<Participant> =>
      connect({ url, token: 'reviewer', space: 'main', retry: { delay: 20, maxDelay: 100 } }),
    async timesWritten(line: string): Promise<number> {
      const text = await readFile(file, 'utf8').catch(() => '');
      return text.split('\n').filter((written) => written === line).length;
    },
    async [Symbol.asyncDispose]() {
      await gateway?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Approves every proposal as soon as possible, and retries while there is no executor. */
function approveAll(reviewer: Participant, isToBeApproved: (proposal: JsonObject) => boolean): void {
  reviewer.on('error', () => {});
  reviewer.onProposal(async ({ params, fulfil }) => {
    for (;;) {
      while (!isToBeApproved(params ?? {})) await pause(10);
      try {
        return void (await fulfil());
      } catch (error) {
        const isOver =
          error instanceof OutcomeUnknownError ||
          error instanceof ProposalNotPendingError ||
          error instanceof OperationFailedError;
        if (isOver) return;
        await pause(20);
      }
    }
  });
}

function outcomeOf({ result }: JsonObject): unknown {
  const meta = isJsonObject(result) ? result['_meta'] : undefined;
  const outcome = isJsonObject(meta) ? meta['proffer/outcome'] : undefined;
  return isJsonObject(outcome) ? outcome['code'] : 'ran';
}

/** Each point this many times. */
const often = (points: readonly FaultPoint[]): readonly FaultPoint[] =>
  Array.from({ length: long ? 12 : 1 }, () => points).flat();

// Most of the time goes into staying away until the gateway has declared unknown outcomes.
describe.concurrent('guard killed during a call', () => {
  it.for<readonly [string, boolean, readonly FaultPoint[]]>([
    ['beside its gateway', false, FAULT_POINTS],
    [
      'with the gateway in it',
      true,
      long ? FAULT_POINTS : FAULT_POINTS.filter((_, index) => index % 3 === 0),
    ],
  ])(
    'I-2, O-23: %s: a repeated call ends well, and nothing is written twice',
    { timeout: long ? 1_200_000 : 120_000 },
    async ([_title, isHost, points], { expect }) => {
      await using here = await place({ isHost });
      const faults = often(points).map((point, round): Fault => ({ point, text: `line ${round}` }));
      const toApprove = new Set<unknown>();
      let reviewer: Participant | undefined;
      let guard = await here.start(faults[0]);
      for (const [round, { point, text: line }] of faults.entries()) {
        if (reviewer === undefined) {
          reviewer = await here.join();
          approveAll(reviewer, ({ arguments: args }) => isJsonObject(args) && toApprove.has(args['line']));
        }
        const killed = once(guard.process, 'exit');
        // Approved before the end, it may have run.
        if (!HARMLESS.has(point)) toApprove.add(line);
        void guard.call('append', { line }, line);
        expect([point, ...(await killed)]).toEqual([point, null, 'SIGKILL']);
        // The one killed next is the one that is asked again.
        guard = await here.start(faults[round + 1]);
        toApprove.add(line);
        const outcome = outcomeOf(await guard.call('append', { line }));
        const written = await here.timesWritten(line);
        if (HARMLESS.has(point)) expect([point, outcome, written]).toEqual([point, 'ran', 1]);
        else expect([point, outcome, written <= 1]).toEqual([point, 'unknown', true]);
      }
      await guard.kill();
      for (const { text } of faults) expect(await here.timesWritten(text)).toBeLessThanOrEqual(1);
      await reviewer?.close();
    },
  );

  it('O-23: killed together with its gateway: recovers, tells approver and caller that the outcome is unknown, and runs nothing again', async ({
    expect,
  }) => {
    await using here = await place({ isHost: true });
    const line = 'one';
    await using first = await here.start({ point: 'after the server is called', text: line });
    await using reviewer = await here.join();
    reviewer.on('error', () => {});
    const approved = new Promise<{ readonly told: Promise<unknown> }>((resolve) => {
      reviewer.onProposal(({ fulfil }) => {
        const told = fulfil();
        told.catch(() => {});
        resolve({ told });
      });
    });
    const killed = once(first.process, 'exit');
    void first.call('append', { line });
    await killed;
    await using second = await here.start();
    await expect((await approved).told).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(outcomeOf(await second.call('append', { line }))).toBe('unknown');
    expect(await here.timesWritten(line)).toBeLessThanOrEqual(1);
  });
});
