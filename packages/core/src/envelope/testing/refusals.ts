import { expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { refused } from './reading.js';

/** A refused message: what is wrong with it (the test's title), the message, the code and the field. */
export type RefusalCase = readonly [what: string, raw: JsonObject, code: string, field: string];

/** One test per message, named by what is wrong with it. */
export function itRefuses(cases: readonly RefusalCase[]): void {
  it.each(cases)('%s is refused', (_, raw, code, field) => {
    expect(refused(raw)).toMatchObject({ code, field });
  });
}
