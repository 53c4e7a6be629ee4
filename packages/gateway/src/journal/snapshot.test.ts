import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Envelope } from '@proffer/core';
import { compileCapabilities } from '@proffer/core/capability';
import { canonicalJson } from '@proffer/core/json';
import { encodeSession } from '@proffer/core/negotiation';
import { nextDeadline, spaceSettings, viewSpace } from '@proffer/core/operations';
import type { LocalJournal, StoredRecord } from '@proffer/journal';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SpaceHost } from '../operations/space-host.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { commitPayload, startPayload } from '../testing/macp.js';
import { answer, chat, fulfilment, proposal, rejection, withdrawal } from '../testing/messages.js';
import { createRandom } from '../testing/random.js';
import { openTestNegotiation } from '../testing/test-negotiation.js';
import { openHistory } from './history.js';

const SEED = Number(process.env['PROFFER_SEED']);
const SENDER = { capabilities: compileCapabilities([]) };
const SETTINGS = spaceSettings({ name: 'main', dedupWindow: 60_000, answerTimeout: 30_000 });
const FILE = 'state.snapshot';
const NEVER = Number.POSITIVE_INFINITY;
let now = 1_000_000;

interface RunOptions {
  /** After how many records a snapshot is written. */
  readonly worthwhile: number;
  readonly settings?: typeof SETTINGS;
}

/** Operations and negotiation on a folder, as in a gateway. */
async function run(folder: string, { worthwhile, settings = SETTINGS }: RunOptions) {
  const journal = await openJournal(folder);
  const logged: string[] = [];
  const note = (_: unknown, message?: string): void => void logged.push(message ?? '');
  const log = { info: note, warn: note };
  const history = await openHistory({ journal, spaces: [settings], log, worthwhile });
  const clock = (): number => now;
  const onFault = (error: unknown): never => {
    throw error;
  };
  const [{ host }, table] = await Promise.all([
    SpaceHost.open({
      journal,
      ...history.replayed.space(settings.name),
      // As in a gateway, where the limit is not a setting of the space.
      settings: { ...settings, maxPending: 1_000 },
      clock,
      absenceGrace: 60_000,
      onGone: () => {},
      onFault,
    }),
    openTestNegotiation(journal, { clock, history: history.replayed.sessions() }),
    history.read(),
  ]);
  for (const name of ['agent', 'reviewer', 'tools']) host.presence.join(name);
  const sessions = () => [...table.negotiation.sessions.all()].filter(({ ending }) => ending === undefined);
  return {
    logged,
    /** How many proposals are about to change by the clock. */
    due: (): number => {
      const deadlines = Array.from(host.state.proposals.values(), nextDeadline);
      return deadlines.filter((deadline) => deadline !== undefined && deadline <= now).length;
    },
    /** The complete state in a canonical form. */
    state: (): string =>
      canonicalJson({
        space: viewSpace(host.state),
        sessions: Object.fromEntries(sessions().map((session) => [session.id, encodeSession(session)])),
        policies: table.negotiation.policyList().descriptors,
      }),
    async say(from: string, message: object): Promise<string> {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
      const removed = await host.prepare(envelope);
      return await new Promise((resolve) =>
        host.submit({ envelope, sender: SENDER }, ({ status }) => resolve(status), removed),
      );
    },
    negotiating: table,
    async close(): Promise<void> {
      await host.drain();
      host.stop();
      await table.negotiation.drain();
      table.negotiation.end();
      await history.save([{ host }], table.negotiation);
      await journal.close();
    },
  };
}

type Running = Awaited<ReturnType<typeof run>>;

/** Proposals, answers, remarks and sessions, interleaved, over several dedup windows. */
async function happen(running: Running, seed: number): Promise<void> {
  const { negotiating } = running;
  const say = (from: string, message: object) => running.say(from, message);
  const random = createRandom(seed);
  const any = (count: number): number => Math.floor(random() * count);
  const session = (): string => `00000000-0000-4000-8000-00000000000${any(8)}`;
  for (let step = 0; step < 150; step++) {
    const id = `${seed}-${step}`;
    const [p, f] = [`p${any(60)}`, `f${any(60)}`];
    const steps = [
      () => say('agent', proposal(p, any(3) === 0 ? { ttl: 20_000 } : {})),
      () => say('agent', proposal(`${id}-p`, { depends_on: [p] })),
      () => say('reviewer', fulfilment(f, p)),
      () => say('reviewer', fulfilment(f, p)),
      () => say('tools', answer(id, f)),
      () => say('tools', answer(id, f)),
      () => say('agent', withdrawal(id, p)),
      () => say('reviewer', rejection(id, p)),
      () => say('agent', chat(`c${any(30)}`)),
      () =>
        say('tools', { id, kind: 'mcpx.announce.tools', payload: { tools: [{ name: `tool-${any(3)}` }] } }),
      () => negotiating.say(session(), 'buyer', 'SessionStart', startPayload({ ttl_ms: 3_600_000 })),
      () => negotiating.say(session(), 'buyer', 'Proposal', { proposal_id: p }),
      () => negotiating.say(session(), 'seller', 'Accept', { proposal_id: p }),
      () => negotiating.say(session(), 'buyer', 'Commitment', commitPayload({ outcome_positive: false })),
    ];
    await steps[any(steps.length)]?.();
    if (any(3) === 0) now += any(15_000);
  }
}

describe(`snapshot (PROFFER_SEED=${SEED})`, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** A snapshot from the middle, one from the end, and the final state of a full replay. */
  let early: Buffer;
  let late: Buffer;
  let whole: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const file = join(folder.path, FILE);
    const first = await run(folder.path, { worthwhile: 1 });
    const policy = { policy_id: 'policy.own', mode: 'macp.mode.proposal.v1', description: 'x', rules: '{}' };
    await (await first.negotiating.caller('agent')).registerPolicy({ ...policy, schema_version: 1 });
    await happen(first, SEED);
    await first.close();
    early = await readFile(file);
    const second = await run(folder.path, { worthwhile: 1 });
    await happen(second, SEED + 1);
    await second.close();
    // What is due happens sooner or later after a start: no compared start has any of it left.
    const third = await run(folder.path, { worthwhile: 1 });
    await vi.waitUntil(() => third.due() === 0, { timeout: 20_000 });
    await third.close();
    late = await readFile(file);
    whole = await started(undefined);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  /**
   * The state after a start with or without a snapshot, which must equal this. The next one finds everything
   * unchanged.
   */
  async function started(
    snapshot: Uint8Array | undefined,
    said?: string,
    { settings, onJournal }: StartOptions = {},
  ): Promise<string> {
    await using copy = await temporaryFolder();
    await cp(folder.path, copy.path, { recursive: true });
    const file = join(copy.path, FILE);
    if (snapshot === undefined) await rm(file);
    else await writeFile(file, snapshot);
    if (onJournal !== undefined) {
      const journal = await openJournal(copy.path);
      await onJournal(journal);
      await journal.close();
    }
    const running = await run(copy.path, {
      worthwhile: NEVER,
      ...(settings === undefined ? {} : { settings }),
    });
    const state = running.state();
    expect(running.logged).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
    await running.close();
    return state;
  }

  it('I-3, O-3, O-16, O-22, N-12: plus later records gives the state of a full replay', async () => {
    expect(whole).toContain('"proposals":{"');
    expect(whole).toContain('"sessions":{"');
    expect(whole).toContain('policy.own');
    expect(await started(early, 'started from a snapshot')).toBe(whole);
  });

  it('I-3: of a stopped gateway gives the state of a full replay', async () => {
    expect(await started(late, 'started from a snapshot')).toBe(whole);
  });

  it('is written after a start that had to read much, whatever happens to the gateway then', async () => {
    await using copy = await temporaryFolder();
    await cp(folder.path, copy.path, { recursive: true });
    const file = join(copy.path, FILE);
    await rm(file);
    const running = await run(copy.path, { worthwhile: 100 });
    const size = () =>
      readFile(file).then(
        ({ length }) => length,
        () => 0,
      );
    await expect.poll(size).toBeGreaterThan(0);
    const written = await readFile(file);
    await running.close();
    expect(await started(written, 'started from a snapshot')).toBe(whole);
  });

  it('I-3: is not used when it is damaged, truncated, or not a snapshot', async () => {
    const flipped = Buffer.from(early);
    const middle = early.length >> 1;
    flipped[middle] = (flipped[middle] as number) ^ 4;
    const cut = [early.subarray(0, early.length - 20), early.subarray(0, 300), early.subarray(0, 0)];
    for (const bytes of [flipped, ...cut, Buffer.from('{}')])
      expect(await started(bytes, 'the snapshot is damaged')).toBe(whole);
  });

  it('O-3: is not used when settings it depends on have changed, or there is another space', async () => {
    const settings = { ...SETTINGS, dedupWindow: 120_000 };
    const state = await started(early, 'the snapshot is not used', { settings });
    expect(await started(undefined, undefined, { settings })).toBe(state);
    await started(early, 'the snapshot is not used', { settings: { ...SETTINGS, name: 'another' } });
  });

  it('is not used if another release wrote it', async () => {
    const onJournal = async (journal: LocalJournal): Promise<void> => {
      await journal.snapshots.save(await journal.lastSeq('main'), ['["by","proffer 0.0.1, state 1"]\n']);
    };
    expect(await started(early, 'the snapshot is not used', { onJournal })).toBe(whole);
  });

  it('N-2, O-22: does not bring back what ended after it and was removed', async () => {
    // The record it ends with stays, or it would not be used at all.
    const { stream: last } = JSON.parse(early.toString('utf8').split('\n')[1] ?? '') as { stream: string };
    const keep = ({ stream }: StoredRecord): boolean => stream === last || stream.includes('/participant/');
    const state = JSON.parse(
      await started(early, 'started from a snapshot', {
        onJournal: async (journal) => void (await journal.compact({ before: NEVER, keep })),
      }),
    ) as Known;
    const kept = (keys: object): readonly string[] =>
      Object.keys(keys).filter((id) => !last.endsWith(`/${id}`));
    expect(kept(state.space.proposals)).toEqual([]);
    expect(kept(state.sessions)).toEqual([]);
  });
});

interface StartOptions {
  readonly settings?: typeof SETTINGS;
  /** Done to the journal before. */
  readonly onJournal?: (journal: LocalJournal) => Promise<void>;
}

interface Known {
  readonly space: { readonly proposals: object };
  readonly sessions: object;
}
