import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal } from '@proffer/journal';
import { decodePayload } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitPayload, startPayload } from '../testing/macp.js';
import { closedConfig } from '../testing/strangers.js';
import { openTestNegotiation, type TestNegotiation } from '../testing/test-negotiation.js';
import type { WhatIfReport } from './what-if.js';

const MODE = 'macp.mode.proposal.v1';

let negotiating: TestNegotiation;
let journal: ReturnType<typeof createMemoryJournal>;
beforeAll(async () => {
  journal = createMemoryJournal();
  negotiating = await openTestNegotiation(journal);
});
afterAll(() => negotiating[Symbol.asyncDispose]());

const candidate = (rules: JsonObject, change: JsonObject = {}): JsonObject => ({
  policy_id: 'policy.candidate',
  mode: MODE,
  description: '',
  rules: JSON.stringify(rules),
  schema_version: 1,
  registered_at_unix_ms: 0,
  ...change,
});

/** A session that the buyer committed after the seller's acceptance, with a suspension in between. */
async function committed(): Promise<string> {
  const id = randomUUID();
  const buyer = await negotiating.caller('buyer');
  const say = async (sender: string, type: string, payload: JsonObject, messageId: string) =>
    expect(await negotiating.say(id, sender, type, payload, messageId)).toMatchObject({ ok: true });
  await say('buyer', 'SessionStart', startPayload(), 'm1');
  await say('seller', 'Proposal', { proposal_id: 'p1' }, 'm2');
  expect(await buyer.control('suspend', id, 'lunch')).toMatchObject({ ok: true });
  expect(await buyer.control('resume', id, 'back')).toMatchObject({ ok: true });
  await say('seller', 'Accept', { proposal_id: 'p1' }, 'm3');
  await say('buyer', 'Commitment', commitPayload(), 'm4');
  return id;
}

async function report(id: string, policy: JsonObject): Promise<WhatIfReport> {
  const answer = await (await negotiating.caller('seller')).whatIf(id, policy);
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}

describe('what-if replay', () => {
  it('N-27: the same rules have the same outcome, and nothing is recorded', async () => {
    const id = await committed();
    const before = await journal.lastSeq('macp');
    const { recorded, candidate: other, entries, denials, ...rest } = await report(id, candidate({}));
    expect(other).toEqual(recorded);
    expect(recorded).toMatchObject({
      state: 'RESOLVED',
      resolved_by_history_index: 5,
      resolved_by_message_id: 'm4',
      resolved_by_message_type: 'Commitment',
    });
    const resolution = Buffer.from(recorded.resolution, 'base64');
    expect(decodePayload({ mode: MODE, message_type: 'Commitment' }, resolution)).toMatchObject({
      ok: true,
      value: { action: 'contract.agreed' },
    });
    expect(entries.map(({ message_type, recorded: { state } }) => [message_type, state])).toEqual([
      ['SessionStart', 'OPEN'],
      ['Proposal', 'OPEN'],
      ['SessionSuspend', 'SUSPENDED'],
      ['SessionResume', 'OPEN'],
      ['Accept', 'OPEN'],
      ['Commitment', 'RESOLVED'],
    ]);
    expect(denials).toEqual([]);
    expect(rest).toEqual({
      candidate_policy_id: 'policy.candidate',
      recorded_policy_id: 'policy.default',
    });
    expect(await journal.lastSeq('macp')).toBe(before);
    expect((await negotiating.caller('seller')).policy('policy.candidate').ok).toBe(false);
  });

  it('N-27: other rules show what they would have denied, and where', async () => {
    const id = await committed();
    const {
      candidate: other,
      entries,
      denials,
      first_divergence,
    } = await report(id, candidate({ acceptance: { criterion: 'all_parties', commitment_accepts: false } }));
    expect(other).toMatchObject({ state: 'OPEN', resolution: '', resolved_by_message_id: '' });
    expect(first_divergence).toBe(5);
    expect(entries[5]).toMatchObject({
      recorded: { kind: 'APPLIED', state: 'RESOLVED' },
      candidate: { kind: 'REFUSED', error_code: 'INVALID_ENVELOPE', details: '' },
    });
    expect(denials).toEqual([]);
  });

  it('N-27: a denial comes with its reasons, and later messages meet the session without what was refused', async () => {
    const id = randomUUID();
    for (const [sender, type, payload] of [
      ['buyer', 'SessionStart', startPayload()],
      ['seller', 'Proposal', { proposal_id: 'p1' }],
      ['buyer', 'Reject', { proposal_id: 'p1' }],
      ['seller', 'Accept', { proposal_id: 'p1' }],
      ['buyer', 'Accept', { proposal_id: 'p1' }],
      ['buyer', 'Commitment', commitPayload()],
    ] as const) {
      expect(await negotiating.say(id, sender, type, payload, `${sender}-${type}`)).toMatchObject({
        ok: true,
      });
    }
    const {
      denials,
      entries,
      candidate: other,
    } = await report(id, candidate({ rejection: { terminal_on_any_reject: true } }));
    expect(entries.map(({ candidate: { kind, error_code } }) => error_code || kind)).toEqual([
      'APPLIED',
      'APPLIED',
      'APPLIED',
      'SESSION_NOT_OPEN',
      'SESSION_NOT_OPEN',
      'POLICY_DENIED',
    ]);
    expect(denials).toMatchObject([{ history_index: 5, message_id: 'buyer-Commitment' }]);
    const details = JSON.parse(Buffer.from(denials[0]?.details ?? '', 'base64').toString()) as JsonObject;
    expect(details['reasons']).toContain('"buyer" has rejected "p1" for good.');
    expect(other.state).toBe('OPEN');
  });

  it('N-27: refuses what could not be registered, and a policy for another mode', async () => {
    const id = await committed();
    const seller = await negotiating.caller('seller');
    const refused = { ok: false, refusal: { code: 'INVALID_POLICY_DEFINITION' } };
    for (const wrong of [
      {},
      candidate({ nonsense: 1 }),
      candidate({}, { schema_version: 0 }),
      candidate({}, { schema_version: 4 }),
      candidate({}, { mode: 'macp.mode.decision.v1' }),
    ]) {
      expect(await seller.whatIf(id, wrong)).toMatchObject(refused);
    }
    // A name that could not be registered does no harm: nothing is registered.
    for (const name of ['policy.default', 'policy.std.majority']) {
      expect(await seller.whatIf(id, candidate({}, { policy_id: name, mode: '*' }))).toMatchObject({
        ok: true,
      });
    }
  });

  it('N-8: is only for those who may read the session', async () => {
    const yaml = closedConfig({ buyer: 'can_start_sessions: true', mallory: '' });
    await using closed = await openTestNegotiation(createMemoryJournal(), { yaml });
    const mallory = await closed.caller('token-of-mallory');
    expect(await mallory.whatIf(randomUUID(), candidate({}))).toMatchObject({
      refusal: { code: 'SESSION_NOT_FOUND' },
    });
  });
});
