import { describe, expect, it } from 'vitest';
import { SessionProjection } from '../projection/session-projection.js';
import { given } from '../testing/given.js';
import { commit, propose, start } from '../testing/steps.js';
import { hashCommitment } from './commitment-hash.js';
import type { CommitmentPayload } from './payloads.js';

/** Made with another implementation: Python's `json` and `hashlib`. */
const BASE: CommitmentPayload = {
  commitment_id: 'c1',
  action: 'contract.agreed',
  authority_scope: 'procurement',
  reason: 'all agreed',
  mode_version: '1.0.0',
  policy_version: '',
  configuration_version: 'cfg-1',
  outcome_positive: true,
};
const BASE_HASH = 'sha256:a59db3e19d2dfa86b680bdd0965e3289632ca1fcf7bcfc29030f6e805b8a7639';

const NONE: CommitmentPayload = {
  commitment_id: '',
  action: '',
  authority_scope: '',
  reason: '',
  mode_version: '',
  policy_version: '',
  configuration_version: '',
  outcome_positive: false,
};

describe('the hash of a commitment', () => {
  it.each<readonly [string, CommitmentPayload, string]>([
    ['an agreement', BASE, BASE_HASH],
    [
      'no agreement',
      { ...BASE, outcome_positive: false },
      'sha256:26ba2f9bbb5cd3456761a05e2d9da59e7bf94bba305e4c5095b4a18c498a09da',
    ],
    [
      'one that supersedes it',
      { ...BASE, commitment_id: 'c2', supersedes: { session_id: 's1', commitment_hash: BASE_HASH } },
      'sha256:96178f48211d0b41392d609221c1c83abbb7ea297de799f73c455119f0446716',
    ],
    ['empty fields', NONE, 'sha256:3240d1a7adb7bd9420ad5490182227ce699c9e4e465f7934885fe2ded939f32e'],
    [
      'an empty reference, which is not none',
      { ...NONE, supersedes: { session_id: '', commitment_hash: '' } },
      'sha256:9776c22ef165f26817f89bb456cf6bc56a659eb1561a576f6ea9a435bd3291d7',
    ],
    [
      'quotes, control characters and emoji',
      { ...BASE, action: 'a "b" \\c', reason: 'é\t\n— \u{1f702}\u0001' },
      'sha256:c266b64ff6ecb4eeb5b4b19b292ccf30e58f8df5d4f00f4c951799fc7060ce68',
    ],
  ])('N-19: %s', (_, payload, hash) => expect(hashCommitment(payload)).toBe(hash));

  it('N-19: fields that are not part of a commitment are not part of its hash', () => {
    expect(hashCommitment({ ...BASE, more: 'x' } as CommitmentPayload)).toBe(BASE_HASH);
  });

  const alone = [start({ participants: ['buyer'] }), propose('buyer', 'p1')];

  it('N-19: only a hash of this form may be superseded', () => {
    const result = (commitment_hash: string) =>
      given(...alone).when(commit('buyer', { supersedes: { session_id: 's1', commitment_hash } }));
    expect(result(BASE_HASH).result).toBe('accepted');
    for (const wrong of [
      'abc',
      BASE_HASH.toUpperCase(),
      BASE_HASH.slice(0, -1),
      `${BASE_HASH}0`,
      `${BASE_HASH}\n`,
    ]) {
      expect(result(wrong).decision.refused).toMatchObject({
        code: 'INVALID_ENVELOPE',
        details: { field: 'payload.supersedes.commitment_hash' },
      });
    }
  });

  it('N-12, N-19: a projection has it, also of a session from before there was a form', () => {
    const { records } = given(...alone, commit('buyer'));
    const follow = (change: (payload: CommitmentPayload) => CommitmentPayload) => {
      const projection = new SessionProjection();
      for (const { envelope } of records) {
        const isLast = envelope.message_type === 'Commitment';
        const payload = isLast ? change(envelope.payload as CommitmentPayload) : envelope.payload;
        expect(projection.apply({ ...envelope, payload })).toEqual({ ok: true, value: true });
      }
      return projection.commitmentHash;
    };
    expect(follow((payload) => payload)).toBe(BASE_HASH);
    expect(
      follow((payload) => ({ ...payload, supersedes: { session_id: 's1', commitment_hash: 'old' } })),
    ).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
