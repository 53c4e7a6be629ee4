import type { OperationFailedError } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { CALLED_OFF, changeDenied, errorToThrow, NOT_RUN_KEY, nobodyWaits } from '../outcomes/index.js';
import { outcomeInArchive } from './archived-outcome.js';

/** How a call ended whose executor threw this, as the gateway remembers it. */
function outcomeOf({ code, message, data }: OperationFailedError) {
  const error: JsonObject = { code, message, ...(data === undefined ? {} : { data }) };
  const response = { kind: 'mcp.response', correlationId: 'request', payload: { error } };
  const proposal = { phase: 'settled', outcome: { result: 'error' }, fulfilment: { request: 'request' } };
  return outcomeInArchive({ proposal, messages: [response] });
}

describe('an error in the history', () => {
  it('of ours says that nothing was run', () => {
    expect(outcomeOf(nobodyWaits(CALLED_OFF))).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
    expect(outcomeOf(changeDenied('No.'))).toEqual({ type: 'denied', reason: 'No.' });
  });

  it.each([
    { outcome: 'withdrawn', reason: 'the receipt' },
    { outcome: 'denied', reason: 'the receipt' },
  ])('of a server is its answer, though it has $outcome in its data', (data) => {
    const error = { code: -32_000, message: 'Charged, without a receipt.', data };
    expect(outcomeOf(errorToThrow(error))).toMatchObject({ type: 'failed', error });
  });

  it('of a server cannot say in our name that nothing was run', () => {
    const data = { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason: 'a lie' }, card: 'charged' };
    const error = { code: -32_000, message: 'Charged, without a receipt.' };
    const outcome = outcomeOf(errorToThrow({ ...error, data }));
    expect(outcome).toMatchObject({ type: 'failed', error: { ...error, data: { card: 'charged' } } });
  });
});

describe('O-31: a withdrawn call in the history', () => {
  const withdrawn = (said: string, why: string) =>
    outcomeInArchive({
      proposal: { phase: 'withdrawn', withdrawal: { reason: why }, rejections: { ann: { reason: said } } },
      messages: [],
    });

  it('was rejected when it was given up because of a no', () => {
    expect(withdrawn('unsafe', 'declined')).toMatchObject({ type: 'rejected', rejections: [{ by: 'ann' }] });
  });

  it.each([
    ['somebody was only busy', 'busy', 'declined'],
    ['its caller called it off', 'unsafe', CALLED_OFF],
  ])('was not rejected when %s', (_, said, why) => {
    expect(withdrawn(said, why)).toEqual({ type: 'withdrawn', reason: why });
  });
});
