import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@proffer/core/json';
import { type CommitmentPayload, hashCommitment } from '@proffer/core/negotiation';
import { makeSignerKey, type PublicJwk, signDetached } from '@proffer/evidence/node';
import { createMemoryJournal } from '@proffer/journal';
import { decodePayload } from '@proffer/wire';
import { describe, expect, it } from 'vitest';
import { commitPayload, startPayload } from '../testing/macp.js';
import { openTestNegotiation, type TestNegotiation } from '../testing/test-negotiation.js';
import { receiptKeys } from './receipts.js';

const key = makeSignerKey('example.com/deals');
const log = { keys: [key.verifier], sign: (bytes: Uint8Array) => signDetached(key, bytes) };

async function started(negotiating: TestNegotiation): Promise<string> {
  const id = randomUUID();
  const say = async (sender: string, type: string, payload: JsonObject) =>
    expect(await negotiating.say(id, sender, type, payload)).toMatchObject({ ok: true });
  await say('buyer', 'SessionStart', startPayload());
  await say('seller', 'Proposal', { proposal_id: 'p1' });
  await say('seller', 'Accept', { proposal_id: 'p1' });
  return id;
}

async function committed(negotiating: TestNegotiation): Promise<string> {
  const id = await started(negotiating);
  expect(await negotiating.say(id, 'buyer', 'Commitment', commitPayload())).toMatchObject({ ok: true });
  return id;
}

async function receiptOf(negotiating: TestNegotiation, id: string): Promise<string> {
  const found = await (await negotiating.caller('seller')).receipt(id);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

interface Receipt {
  readonly commitment: CommitmentPayload;
  readonly commitment_hash: string;
  readonly commitment_wire_b64: string;
  readonly attestations: readonly { readonly jws: string }[];
}

describe('receipts', () => {
  it('N-29: has what was committed, its hash and its bytes, and a signature that the published keys check', async () => {
    await using negotiating = await openTestNegotiation(createMemoryJournal(), { evidence: log });
    const id = await committed(negotiating);
    const { attestations, ...body } = JSON.parse(await receiptOf(negotiating, id)) as Receipt;
    expect(body).toMatchObject({
      receipt_format: 'macp-receipt/1',
      session_id: id,
      mode: 'macp.mode.proposal.v1',
      issuer: 'runtime:example.com/deals',
      issued_at: expect.stringMatching(/^[-0-9]{10}T[:0-9]{8}Z$/),
    });
    expect(body.commitment_hash).toBe(hashCommitment(body.commitment));
    const wire = Buffer.from(body.commitment_wire_b64, 'base64');
    const kind = { mode: 'macp.mode.proposal.v1', message_type: 'Commitment' };
    expect(decodePayload(kind, wire)).toMatchObject({ ok: true, value: body.commitment });
    const [header = '', , signature = ''] = attestations[0]?.jws.split('.') ?? [];
    const { keys } = JSON.parse(receiptKeys(log)) as { keys: PublicJwk[] };
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ kid: keys[0]?.kid });
    const signed = `${header}.${Buffer.from(canonicalJson(body as never)).toString('base64url')}`;
    const publicKey = createPublicKey({ key: { ...keys[0] }, format: 'jwk' });
    expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('N-29: is the same whenever it is asked for, also after a restart', async () => {
    const journal = createMemoryJournal();
    const first = await openTestNegotiation(journal, { evidence: log });
    const id = await committed(first);
    const receipt = await receiptOf(first, id);
    expect(await receiptOf(first, id)).toBe(receipt);
    await first[Symbol.asyncDispose]();
    await using again = await openTestNegotiation(journal, { evidence: log });
    expect(await receiptOf(again, id)).toBe(receipt);
  });

  it('N-29: without a key it is not signed, and there are no keys', async () => {
    await using negotiating = await openTestNegotiation(createMemoryJournal());
    const receipt = JSON.parse(await receiptOf(negotiating, await committed(negotiating))) as JsonObject;
    expect(receipt).toMatchObject({ issuer: 'runtime:proffer', attestations: [] });
    expect(receiptKeys(undefined)).toBe('{"keys":[]}');
  });

  it('N-29: only a resolved session has one, for those who may read it', async () => {
    await using negotiating = await openTestNegotiation(createMemoryJournal());
    const buyer = await negotiating.caller('buyer');
    const open = await started(negotiating);
    const unavailable = { ok: false, refusal: { code: 'RECEIPT_UNAVAILABLE' } };
    expect(await buyer.receipt(open)).toMatchObject(unavailable);
    await buyer.control('suspend', open, 'later');
    expect(await buyer.receipt(open)).toMatchObject(unavailable);
    await buyer.control('cancel', open, 'enough');
    expect(await buyer.receipt(open)).toMatchObject(unavailable);
    expect(await buyer.receipt(randomUUID())).toMatchObject({ refusal: { code: 'SESSION_NOT_FOUND' } });
  });
});
