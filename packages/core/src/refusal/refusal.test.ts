import { describe, expect, it } from 'vitest';
import { REFUSALS, type RefusalCode, refusalRow } from './codes.js';
import { failure, mayBeOutdated, refuse, success } from './refusal.js';

const codes = Object.keys(REFUSALS) as RefusalCode[];

describe('refusals', () => {
  it.each(codes)('O-5: %s says what happened and what to do next, in whole sentences', (code) => {
    const { message, details } = refuse(code, 'Something happened.');
    expect(message).toMatch(/^Something happened\. \p{Lu}.{10,}\.$/u);
    expect(details).toEqual({});
  });

  it("O-41: only a refusal that depends on others' records may be outdated, not one about the message itself or an ended state", () => {
    const isOutdated = (code: RefusalCode) => mayBeOutdated(refuse(code, 'No.'));
    const depending = ['capability_violation', 'not_approver', 'unknown_counter', 'reserved'] as const;
    expect(depending.filter((code) => !isOutdated(code))).toEqual([]);
    const certain = ['invalid_json', 'rate_limited', 'proposal_not_pending', 'executor_absent'] as const;
    expect(certain.filter(isOutdated)).toEqual([]);
  });

  it('O-3: only codes decided after the duplicate check show that a message is not on record', () => {
    const shows = (code: RefusalCode) => REFUSALS[code].notRecorded;
    expect(
      (['proposal_not_pending', 'executor_absent', 'vetoed'] as const).filter((code) => !shows(code)),
    ).toEqual([]);
    const early = ['rate_limited', 'unauthenticated', 'capability_violation', 'unknown_proposal'] as const;
    expect(early.filter(shows)).toEqual([]);
  });

  it('O-5: a code of a newer version has no row', () => {
    expect(refusalRow('unknown_proposal')).toBe(REFUSALS.unknown_proposal);
    expect([refusalRow('from_tomorrow'), refusalRow('toString')]).toEqual([undefined, undefined]);
  });

  it('O-5: each code is spelled as its protocol spells codes, and means the same where both have it', () => {
    for (const code of codes) expect(code).toMatch(/^(?:[a-z]+(?:_[a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/);
    const shared = codes.filter((code) => code !== code.toLowerCase() && code.toLowerCase() in REFUSALS);
    expect(shared).toEqual(['UNAUTHENTICATED', 'RATE_LIMITED']);
  });

  it('N-3: each code has a name on the MACP wire, and wire codes keep theirs', () => {
    for (const code of codes) {
      const { macp } = REFUSALS[code];
      expect(REFUSALS[macp].macp).toBe(macp);
      if (code === code.toUpperCase()) expect(macp).toBe(code);
    }
  });

  it('O-5: a temporary inability of the gateway has one status, whatever the protocol calls it', () => {
    const unavailable = { http: 503, grpc: 'UNAVAILABLE', macp: 'INTERNAL_ERROR', retryable: true };
    expect(REFUSALS.unavailable).toMatchObject(unavailable);
    expect(REFUSALS.INTERNAL_ERROR).toMatchObject(unavailable);
  });

  it('O-5: a refusal carries the facts for programs', () => {
    const details = { field: 'kind', found: 'nothing', expected: 'a string' };
    expect(refuse('missing_field', 'kind is missing.', details)).toEqual({
      code: 'missing_field',
      message: 'kind is missing. Add the field.',
      details,
    });
  });

  it('O-5: a result is a value or a refusal, never both', () => {
    const refusal = refuse('too_deep', 'It is deep.');
    expect(success(1)).toEqual({ ok: true, value: 1 });
    expect(failure(refusal)).toEqual({ ok: false, refusal });
  });
});
