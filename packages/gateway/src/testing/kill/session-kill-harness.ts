import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@proffer/core/json';
import { NEGOTIATION_SPACE } from '@proffer/core/negotiation';
import type { AcceptedRecord } from '../../negotiation/index.js';
import { openJournal, temporaryFolder } from '../folder.js';
import { type AckAnswer, commitPayload, macpEnvelope, postEnvelope, startPayload } from '../macp.js';
import { until } from '../metrics.js';
import { readEvents } from '../peers/event-reader.js';
import { createRandom } from '../random.js';
import { type Child, startChild } from './child.js';

/** A session that ran while the gateway was killed again and again. */
export interface KilledSession {
  readonly id: string;
  /** What was acknowledged: the message id, and the sequence number that it was said to have. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** The sequence numbers and message ids that each follower saw. */
  readonly seen: readonly (readonly (readonly [sequence: number, messageId: string])[])[];
}

export interface SessionAftermath {
  readonly sessions: readonly KilledSession[];
  readonly records: readonly AcceptedRecord[];
  readonly faults: readonly unknown[];
}

/** Sessions that run at the same time. */
const AT_ONCE = 6;

/** How soon something that failed is tried again, in milliseconds. */
const RETRY = 20;

/**
 * Runs a gateway on a local journal in a process of its own, with parties that negotiate: they race for
 * the acceptances and for the commitment, and send again, under the same ids, what was not answered.
 * Kills it so many times at random moments, and starts it again on the same folder and port.
 */
export async function killDuringSessions(kills: number, seed: number): Promise<SessionAftermath> {
  const random = createRandom(seed);
  await using folder = await temporaryFolder();
  const start = (port = 0): Promise<Child> => startChild({ folder: folder.path, port });
  let child = await start();
  const { http, port } = child;
  let answered = 0;
  const load = { isOn: true };

  async function persist(token: string, envelope: JsonObject): Promise<AckAnswer> {
    for (;;) {
      const answer = await postEnvelope(http, token, JSON.stringify(envelope)).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) {
        answered++;
        return answer;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  /** Follows until the last message of the session, coming back where it stopped. */
  async function follow(id: string, who: string): Promise<readonly (readonly [number, string])[]> {
    const seen: (readonly [number, string])[] = [];
    for (;;) {
      const url = `${http}/macp/session/${id}/envelopes`;
      const reader = await readEvents(url, who, seen.at(-1)?.[0] ?? 0).catch(() => undefined);
      for (let event = await reader?.next(); event !== undefined; event = await reader?.next()) {
        if (event.name !== '') break;
        const envelope = event.json['envelope'] as JsonObject;
        seen.push([Number(event.json['sequence']), envelope['message_id'] as string]);
        if (envelope['message_type'] === 'Commitment') {
          reader?.close();
          return seen;
        }
      }
      reader?.close();
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }

  async function negotiate(): Promise<KilledSession> {
    const id = randomUUID();
    const acknowledged = new Map<string, number>();
    const say = async (who: string, type: string, payload: JsonObject): Promise<void> => {
      const envelope = macpEnvelope(id, who, type, payload);
      const { ok, sequence } = await persist(who, envelope);
      if (ok && sequence !== undefined) acknowledged.set(envelope.message_id, sequence);
    };
    await say('buyer', 'SessionStart', startPayload({ ttl_ms: 3_600_000 }));
    const following = Promise.all([follow(id, 'buyer'), follow(id, 'seller')]);
    const summary = 'x'.repeat(Math.floor(random() * 2_000));
    await Promise.all([
      say('seller', 'Proposal', { proposal_id: 'p1', summary }),
      say('buyer', 'Proposal', { proposal_id: 'p2' }),
    ]);
    const favourite = random() < 0.5 ? 'p1' : 'p2';
    await Promise.all([
      ...['p1', 'p2'].map((proposal_id) => say('buyer', 'Accept', { proposal_id })),
      ...['p1', 'p2'].map((proposal_id) => say('seller', 'Accept', { proposal_id })),
      say('buyer', 'Commitment', commitPayload({ commitment_id: 'early' })),
    ]);
    // Whoever was last, they agree in the end, unless the early commitment has met an agreement.
    for (const who of ['buyer', 'seller']) await say(who, 'Accept', { proposal_id: favourite });
    await Promise.all(
      [1, 2, 3].map((attempt) =>
        say(
          'buyer',
          'Commitment',
          commitPayload({ commitment_id: `c${attempt}`, outcome_positive: attempt < 3 }),
        ),
      ),
    );
    return { id, acknowledged, seen: await following };
  }

  const sessions: KilledSession[] = [];
  const running = Array.from({ length: AT_ONCE }, async () => {
    while (load.isOn) sessions.push(await negotiate());
  });
  try {
    for (let count = 0; count < kills; count++) {
      const goal = answered + Math.floor(random() * 60);
      await until(() => answered >= goal);
      await child.kill();
      child = await start(port);
    }
    load.isOn = false;
    await Promise.all(running);
    const exited = new Promise((resolve) => child.process.once('exit', resolve));
    child.process.kill('SIGTERM');
    await exited;
  } finally {
    await child.kill();
  }
  const journal = await openJournal(folder.path);
  const records: AcceptedRecord[] = [];
  for await (const record of journal.feed(NEGOTIATION_SPACE, 0, { follow: false })) {
    records.push(record as AcceptedRecord);
  }
  const { faults } = await journal.verify();
  await journal.close();
  return { sessions, records, faults };
}
