import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalPlace } from '@proffer/journal';
import { expect, it, onTestFinished } from 'vitest';
import { type NotifyingProcess, startNotifying } from './notifying-process.js';
import { type Received, receiveHttp } from './receivers.js';

const SEED = Number(process.env['PROFFER_SEED']);
const SECRET = `whsec_${btoa('a secret that is 24 long')}`;
/** Longer than a killed process can have claimed a message for. */
const LATER = 60_000;

export interface KilledNotifiers {
  /** The journal they use. */
  readonly name: string;
  /** How many run at a time. Default one. */
  readonly gateways?: number;
  readonly kills: number;
  readonly place: () => Promise<JournalPlace>;
}

/** The contract for notifiers that are killed while they send. */
export function testKilledNotifiers({ name, gateways = 1, kills, place }: KilledNotifiers): void {
  it(
    `I-1: killed ${kills} times, the notifier on ${name} loses nothing, and repeats nothing under another id (PROFFER_SEED=${SEED})`,
    async () => {
      await killAndCheck({ gateways, kills, journal: await place() });
    },
    120_000 + kills * 5_000,
  );
}

async function killAndCheck({
  gateways,
  kills,
  journal,
}: {
  readonly gateways: number;
  readonly kills: number;
  readonly journal: JournalPlace;
}): Promise<void> {
  const random = createRandom(SEED);
  // Every other message fails the first time.
  const failed = new Set<string>();
  const taken = new Set<string>();
  await using receiver = await receiveHttp(({ headers }) => {
    const id = String(headers['webhook-id']);
    if (!failed.has(id) && random() >= 0.5) {
      failed.add(id);
      return { status: 503 };
    }
    taken.add(id);
    return { status: 204 };
  });
  const yaml = `dev: true
notify:
  channels:
    each: { type: webhook, url: "${receiver.url}/each", secrets: ["${SECRET}"] }
    digest: { type: webhook, url: "${receiver.url}/digest", secrets: ["${SECRET}"] }
  participants: { reviewer: [{ channel: each, digest: 0s }, { channel: digest, digest: 1s }] }
`;
  const running: NotifyingProcess[] = [];
  onTestFinished(async () => void (await Promise.all(running.map((one) => one.kill()))));
  // One that starts alone runs later than the claims of the one before it; several share the same
  // time.
  const start = (round: number) => startNotifying(journal, gateways === 1 ? round * LATER : 0, yaml);
  while (running.length < gateways - 1) running.push(await start(0));
  const proposals = new Map<string, 'pending' | 'withdrawn'>();
  const working: Promise<void>[] = [];
  for (let round = 0; round <= kills; round++) {
    const gateway = await start(round);
    running.push(gateway);
    working.push(work(gateway.url, { round, proposals, random }));
    if (round === kills) break;
    await pause(random() * 400);
    const [killed] = running.splice(Math.floor(random() * running.length), 1);
    await killed?.kill();
  }
  await Promise.all(working);
  if (gateways > 1) {
    await Promise.all(running.splice(0).map((one) => one.kill()));
    running.push(await startNotifying(journal, LATER, yaml));
  }
  // A message accepted just before a kill may not be known here: it counts all the same.
  const waiting = [...proposals].filter(([, state]) => state === 'pending').map(([id]) => id);
  for (const path of ['/each', '/digest'])
    await expect
      .poll(() => waiting.filter((id) => idsOf(receiver.received, { path, kind: 'asked', id }).size === 0))
      .toEqual([]);
  // A proposal that ended before the receiver accepted the question needs no notification.
  const told = [...proposals].filter(([id, state]) => {
    const asked = idsOf(receiver.received, { path: '/each', kind: 'asked', id });
    return state === 'withdrawn' && [...asked].some((message) => taken.has(message));
  });
  await expect
    .poll(() =>
      told.filter(([id]) => idsOf(receiver.received, { path: '/each', kind: 'ended', id }).size === 0),
    )
    .toEqual([]);
  for (const path of ['/each', '/digest'])
    for (const kind of ['asked', 'ended'])
      for (const id of proposals.keys()) {
        const ids = idsOf(receiver.received, { path, kind, id });
        expect([path, kind, id, [...ids].slice(1)]).toEqual([path, kind, id, []]);
      }
  expect(proposals.size).toBeGreaterThan(kills);
}

/** Proposes, and withdraws some proposals, until the gateway is gone. */
async function work(
  url: string,
  {
    round,
    proposals,
    random,
  }: {
    readonly round: number;
    readonly proposals: Map<string, 'pending' | 'withdrawn'>;
    readonly random: () => number;
  },
): Promise<void> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${url}/spaces/main/proposals${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer agent', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { readonly id: string }).id;
  };
  try {
    for (let place = 0; place < 8; place++) {
      const id = await post('', { method: 'resources/read', params: { uri: `file:///${round}/${place}` } });
      proposals.set(id, 'pending');
      if (random() < 0.6) continue;
      // If the gateway dies meanwhile, it is unknown whether the withdrawal counted: then nothing is
      // expected of it.
      proposals.delete(id);
      await post(`/${id}/withdraw`, {});
      proposals.set(id, 'withdrawn');
    }
  } catch {
    // It was killed.
  }
}

/** The ids of the messages about a proposal. */
function idsOf(
  received: readonly Received[],
  { path, kind, id }: { readonly path: string; readonly kind: string; readonly id: string },
): ReadonlySet<string> {
  const about = received.filter((one) => {
    if (one.path !== path) return false;
    const { type, data } = JSON.parse(one.body) as {
      readonly type: string;
      readonly data: { readonly proposals: readonly { readonly proposal: string }[] };
    };
    return type === `proposal.${kind}` && data.proposals.some(({ proposal }) => proposal === id);
  });
  return new Set(about.map(({ headers }) => String(headers['webhook-id'])));
}

/** A seeded generator of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}
