import type { OperationFailedError } from '@proffer/client';
import { CALLED_OFF, changeDenied, errorToThrow, nobodyWaits } from '@proffer/client/own-calls';
import { defined, type JsonObject } from '@proffer/core/json';
import { NOT_RUN_KEY } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { outcomeInArchive } from './proposal-archive.js';

/** The outcome of a call whose executor threw this, as the gateway recorded it. */
function outcomeOf({ code, message, data }: OperationFailedError) {
  const error: JsonObject = { code, message, ...defined({ data }) };
  const response = { kind: 'mcp.response', correlationId: 'request', payload: { error } };
  const proposal = { phase: 'settled', outcome: { result: 'error' }, fulfilment: { request: 'request' } };
  return outcomeInArchive({ proposal, messages: [response] });
}

describe('error in the history', () => {
  it('of the guard says that nothing was run', () => {
    expect(outcomeOf(nobodyWaits(CALLED_OFF))).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
    expect(outcomeOf(changeDenied('No.'))).toEqual({ type: 'denied', reason: 'No.' });
  });

  it.each([
    { outcome: 'withdrawn', reason: 'the receipt' },
    { outcome: 'denied', reason: 'the receipt' },
  ])('of a server is its answer, although its data has $outcome', (data) => {
    const error = { code: -32_000, message: 'Charged, without a receipt.', data };
    expect(outcomeOf(errorToThrow(error))).toMatchObject({ type: 'failed', error });
  });

  it("of a server cannot claim in the guard's name that nothing was run", () => {
    const data = { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason: 'a lie' }, card: 'charged' };
    const error = { code: -32_000, message: 'Charged, without a receipt.' };
    const outcome = outcomeOf(errorToThrow({ ...error, data }));
    expect(outcome).toMatchObject({ type: 'failed', error: { ...error, data: { card: 'charged' } } });
  });
});

describe('O-31: withdrawn call in the history', () => {
  const withdrawn = (decision: string, reason: string) =>
    outcomeInArchive({
      proposal: {
        phase: 'withdrawn',
        decision: { decision, reason },
        rejections: { ann: { reason: 'unsafe' } },
      },
      messages: [],
    });

  it('was rejected if it was withdrawn because of a rejection', () => {
    expect(withdrawn('rejected', 'unsafe')).toMatchObject({ type: 'rejected', rejections: [{ by: 'ann' }] });
  });

  it('was not rejected if its caller cancelled it', () => {
    expect(withdrawn('withdrawn', CALLED_OFF)).toEqual({ type: 'withdrawn', reason: CALLED_OFF });
  });
});
