import type { Refusal, Result } from '@proffer/core';
import { expect } from 'vitest';

/** The value of a successful result. */
export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) expect.fail(result.refusal.message);
  return result.value;
}

/** The refusal of a refused result. */
export function refusalOf(result: Result<unknown>): Refusal {
  if (result.ok) expect.fail('It was not refused.');
  return result.refusal;
}
