import { randomUUID } from 'node:crypto';
import { defined, type JsonObject } from '@proffer/core/json';
import {
  findMode,
  type MacpEnvelope,
  type ModeDescriptor,
  projectInto,
  projectionFor,
} from '@proffer/core/negotiation';
import { encodeEnvelope, RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitPayload, openTable, startPayload } from '../../testing/macp.js';
import { ask } from '../../testing/peers/http.js';
import { createRandom } from '../../testing/random.js';
import { type Said, SESSION_PLAYS, type SessionPlay } from '../../testing/session-plays.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';
import { ackOf, connectRaw } from './testing/raw-call.js';

const LONG = process.env['PROFFER_LONG'] !== undefined;
const SEED = 20_261_116;
/** What each participant may send in the flood. */
const RATE = 300;

const AUCTION = {
  mode: 'ext.auction.v1',
  mode_version: '1.0.0',
  message_types: ['Bid', 'Award', 'Commitment'],
  terminal_message_types: ['Award'],
};
const BID: Said = ['seller', 'Bid', { amount: 5 }];
const REGISTERED: SessionPlay = { mode: AUCTION.mode, opening: [BID], racing: [BID], settling: [BID] };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startWithAuctions('dev: true');
});
afterAll(() => gateway.gateway.close());

/** A gateway that has the registered mode, too. */
async function startWithAuctions(yaml: string, clock?: () => number): Promise<TestGateway> {
  const started = await startTestGateway(yaml, undefined, clock);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ mode_descriptor: AUCTION });
  await ask(`${started.http}/macp/v1/RegisterExtMode`, 'operator', { method: 'POST', headers, body });
  return started;
}

describe.each([...SESSION_PLAYS, REGISTERED])('$mode', ({ mode, opening, racing, settling }) => {
  const types = findMode(mode)?.descriptor.message_types ?? AUCTION.message_types;

  /** A started session, in which messages are sent as bytes. */
  async function begin({ http }: TestGateway) {
    const table = openTable(http);
    const said = (sender: string, message_type: string, message_id: string = randomUUID()) => ({
      macp_version: '1.0',
      mode,
      message_type,
      message_id,
      session_id: table.id,
      sender,
      timestamp_unix_ms: 1,
    });
    expect(await table.send('buyer', 'SessionStart', startPayload(), { mode })).toMatchObject({ ok: true });
    return {
      ...table,
      wire: ([sender, type, payload]: Said, id?: string) =>
        RPC.send.request.write({ envelope: encodeEnvelope({ ...said(sender, type, id), payload }) }),
      wireOf: (sender: string, type: string, payload: Buffer) =>
        RPC.send.request.write({ envelope: { ...said(sender, type), payload } }),
      say: ([sender, type, payload]: Said) => table.send(sender, type, payload, { mode }),
      /** Whatever was accepted, everyone who follows it comes to the same state. */
      async check() {
        const accepted = await table.envelopes('buyer');
        expect(accepted.map(({ sequence }) => sequence)).toEqual(accepted.map((_, index) => index + 1));
        const { body } = await table.show('buyer');
        const { rules, mode_descriptor: descriptor } = body['metadata'] as {
          readonly rules: JsonObject;
          readonly mode_descriptor?: ModeDescriptor;
        };
        const known = defined({ descriptor });
        const envelopes = accepted.map(({ envelope }) => envelope as unknown as MacpEnvelope);
        expect(projectInto(projectionFor(mode, { rules, ...known }), envelopes)).toMatchObject({ ok: true });
        return accepted.length;
      },
    };
  }

  it(`N-6, I-7: every answer to a damaged request is an Ack (seed ${SEED})`, async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const session = await begin(gateway);
    const random = createRandom(SEED);
    const below = (limit: number) => Math.floor(random() * limit);
    const plays = [...opening, ...racing];
    let [refused, accepted] = [0, 0];
    const count = LONG ? 50_000 : 300;
    const attempt = async (id: number): Promise<void> => {
      const message = session.wire(plays[below(plays.length)] as Said, `m${id}`);
      for (let changes = 1 + below(4); changes > 0; changes--) message[below(message.length)] = below(256);
      const kept = random() < 0.3 ? message.subarray(0, below(message.length)) : message;
      const { status, ack } = await ackOf(raw, kept);
      expect([status, ack?.ok === true || ack?.error !== undefined]).toEqual(['0', true]);
      if (ack?.ok === false) refused++;
      else if (ack?.session_id === session.id && !ack.duplicate) accepted++;
    };
    for (let done = 0; done < count; done += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => attempt(done + index)));
    expect(refused).toBeGreaterThan(count / 4);
    expect(await session.check()).toBe(accepted + 1);
  });

  it(`N-6: random bytes as payloads of every type are refused or parsed, never more (seed ${SEED})`, async () => {
    using raw = await connectRaw(gateway.grpcPort);
    const session = await begin(gateway);
    const random = createRandom(SEED + 1);
    for (const said of opening) expect(await session.say(said)).toMatchObject({ ok: true });
    let accepted = 1 + opening.length;
    for (const type of [...types, 'SessionCancel', 'Nothing']) {
      for (let done = LONG ? 2_000 : 20; done > 0; done--) {
        const payload = Buffer.from(
          Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256)),
        );
        const { ack } = await ackOf(raw, session.wireOf(done % 2 === 0 ? 'buyer' : 'seller', type, payload));
        expect(ack).toBeDefined();
        if (ack?.ok === true) accepted++;
      }
    }
    expect(await session.check()).toBe(accepted);
  });

  it('I-5, I-7: a flood is refused beyond the rate, leaves no trace there, and keeps nobody from an outcome', async () => {
    const limits = `limits: { negotiation_messages_per_participant: ${RATE}/h }`;
    // However long it takes, nothing is allowed again meanwhile.
    const now = Date.now();
    await using server = await startWithAuctions(`dev: true\n${limits}`, () => now);
    using raw = await connectRaw(server.grpcPort);
    const session = await begin(server);
    for (const said of [...opening, ...settling]) await session.say(said);
    const [, type, payload] = settling.at(-1) ?? BID;
    let refused = 0;
    for (let done = 0; done < 2 * RATE; done += 100) {
      const headers = { authorization: 'Bearer seller' };
      const flood = Array.from({ length: 100 }, () =>
        ackOf(raw, session.wire(['seller', type, payload]), headers),
      );
      for (const { ack } of await Promise.all(flood)) if (ack?.error?.code === 'RATE_LIMITED') refused++;
    }
    expect(refused).toBeGreaterThanOrEqual(RATE);
    const before = await session.check();
    expect(before).toBeLessThanOrEqual(RATE + opening.length + settling.length + 1);
    const outcome = await session.say(['buyer', 'Commitment', commitPayload()]);
    expect(outcome).toMatchObject({ ok: true, state: 'RESOLVED' });
    expect(await session.check()).toBe(before + 1);
  });
});
