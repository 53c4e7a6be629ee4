import { randomUUID } from 'node:crypto';
import { createMemoryJournal } from '@proffer/journal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalWith } from '../../../testing/journals.js';
import { readMetric } from '../../../testing/metrics.js';
import { closedConfig } from '../../../testing/strangers.js';
import { type GrpcPeer, type Read, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { openTable, type Table } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

type Try = (table: Table) => Promise<Read>;
const other = (): Table => openTable(peer);

const CASES: readonly (readonly [title: string, code: string, attempt: Try])[] = [
  [
    'N-7: no token',
    'UNAUTHENTICATED',
    (table) => table.say('buyer', 'Proposal', { proposal_id: 'p' }, { token: undefined }),
  ],
  [
    'N-7: the runtime’s own name',
    'UNAUTHENTICATED',
    (table) => table.say('_runtime', 'Proposal', { proposal_id: 'p' }, { token: 'buyer' }),
  ],
  ['somebody who has no part in it', 'FORBIDDEN', (table) => table.propose('mallory', 'p')],
  ['N-10: somebody who may not commit', 'FORBIDDEN', (table) => table.commit('seller')],
  ['N-2: a session that is not there', 'SESSION_NOT_FOUND', () => other().propose('buyer', 'p')],
  ['N-2: a session that is there', 'SESSION_ALREADY_EXISTS', (table) => table.start()],
  ['N-2: an id that is none', 'INVALID_SESSION_ID', () => openTable(peer, 'x').start()],
  [
    'N-3: another version of the protocol',
    'UNSUPPORTED_PROTOCOL_VERSION',
    (table) => table.say('buyer', 'Proposal', { proposal_id: 'p' }, { more: { macp_version: '9' } }),
  ],
  [
    'N-3: another mode',
    'MODE_NOT_SUPPORTED',
    (table) => table.say('buyer', 'Vote', Buffer.of(255), { more: { mode: 'macp.mode.auction.v1' } }),
  ],
  [
    'N-3: another mode with a message of the same name',
    'MODE_NOT_SUPPORTED',
    (table) => table.say('buyer', 'Proposal', Buffer.of(255), { more: { mode: 'macp.mode.auction.v1' } }),
  ],
  ['N-3: another version of the mode', 'MODE_NOT_SUPPORTED', () => other().start({ mode_version: '9' })],
  [
    'N-3: a payload over the limit',
    'PAYLOAD_TOO_LARGE',
    (table) => table.say('buyer', 'Proposal', { proposal_id: 'p', details: Buffer.alloc(1_048_577) }),
  ],
  [
    'N-13: a policy that nobody registered',
    'UNKNOWN_POLICY_VERSION',
    () => other().start({ policy_version: 'policy.x' }),
  ],
  ['a proposal that nobody made', 'INVALID_ENVELOPE', (table) => table.accept('buyer', 'p9')],
  ['a type that there is not', 'INVALID_ENVELOPE', (table) => table.say('buyer', 'Vote', Buffer.of())],
  [
    'a message without an id',
    'INVALID_ENVELOPE',
    (table) => table.say('buyer', 'Proposal', { proposal_id: 'p' }, { more: { message_id: '' } }),
  ],
  ['a payload that is none', 'INVALID_ENVELOPE', (table) => table.say('buyer', 'Proposal', Buffer.of(255))],
];

describe('Send', () => {
  it.each(CASES)('%s: %s in the Ack', async (_, code, attempt) => {
    await serveFor(peer);
    const table = other();
    await table.start();
    const { error, ...ack } = await attempt(table);
    expect(ack).toMatchObject({ ok: false, duplicate: false, accepted_at_unix_ms: 0 });
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^.+\. .+\.$/s) });
    const { details } = error as { readonly details: Uint8Array };
    expect(JSON.parse(Buffer.from(details).toString() || '{}')).toBeTypeOf('object');
  });

  it('a malformed payload names the field, what was found and what was expected', async () => {
    await serveFor(peer);
    const table = other();
    await table.start();
    const { error } = await table.say('buyer', 'Proposal', Buffer.from([0x08, 0x01]));
    const { details, message } = error as { readonly details: Uint8Array; readonly message: string };
    const facts = JSON.parse(Buffer.from(details).toString()) as object;
    expect(facts).toEqual({
      field: 'payload.proposal_id',
      found: 'wire type 0',
      expected: 'wire type 2, for string',
    });
    expect(message).toContain('payload.proposal_id');
  });

  it('INVALID_ENVELOPE for a request without an envelope, and for a malformed one', async () => {
    await serveFor(peer);
    for (const request of [{}, Buffer.from([0x0a, 0x05, 0x01])]) {
      const { ack } = await peer.ask('Send', request, { token: 'buyer' });
      expect(ack).toMatchObject({ ok: false, error: { code: 'INVALID_ENVELOPE' } });
    }
    const unknown = await peer.ask('Send', Buffer.from([0x0a, 0x05, 0x01]));
    expect(unknown).toMatchObject({ ack: { error: { code: 'UNAUTHENTICATED' } } });
  });

  it('N-7: speaking for others needs permission, and an unknown token is nobody', async () => {
    const flags = { coordinator: 'act_as: [buyer]', buyer: '', seller: '' };
    const gateway = await serveFor(peer, closedConfig(flags));
    const table = openTable(peer, randomUUID(), (name) => `token-of-${name}`);
    expect(await table.start()).toMatchObject({ ok: true });
    const as = (name: string) => ({ token: `token-of-${name}` });
    expect(await table.say('buyer', 'Proposal', { proposal_id: 'p1' }, as('coordinator'))).toMatchObject({
      ok: true,
    });
    for (const token of ['token-of-seller', 'nobody', undefined]) {
      const ack = await table.say('buyer', 'Proposal', { proposal_id: 'p2' }, { token });
      expect(ack).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
    }
    const counted = await readMetric(gateway.http, 'proffer_refusals_total', '{code="UNAUTHENTICATED"}');
    expect(counted).toBe(3);
  });

  it('N-3: too many messages and too many sessions', async () => {
    const limits =
      'limits: { negotiation_messages_per_participant: 3/min, session_starts_per_participant: 1/min }';
    await serveFor(peer, `dev: true\n${limits}`);
    const table = other();
    expect(await table.start()).toMatchObject({ ok: true });
    expect(await other().start()).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED' } });
    await table.accept('coordinator', 'p1');
    expect(await table.accept('coordinator', 'p1')).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    expect(
      await peer.refused('GetSession', { session_id: table.id }, { token: 'coordinator' }),
    ).toMatchObject({
      code: 8,
      macpCode: 'RATE_LIMITED',
    });
  });

  it('I-1: INTERNAL_ERROR when the journal cannot be written, and nothing has happened', async () => {
    const inner = createMemoryJournal();
    let broken = false;
    const append: typeof inner.append = async (...given) => {
      if (broken) throw new Error('The disk is gone.');
      return await inner.append(...given);
    };
    await serveFor(peer, 'dev: true', { journal: journalWith(inner, { append }) });
    const table = other();
    await table.start();
    broken = true;
    expect(await table.propose('buyer', 'p1')).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL_ERROR' },
    });
    broken = false;
    expect(await table.propose('buyer', 'p1')).toMatchObject({ ok: true, duplicate: false });
  });
});
