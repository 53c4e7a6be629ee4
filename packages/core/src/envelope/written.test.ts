import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { DIALECTS } from './dialects/detect.js';
import type { DialectName } from './dialects/dialect.js';
import { encodeEnvelope, readMessage } from './read.js';
import { envelope } from './testing/arbitrary-messages.js';
import { SENDING } from './testing/reading.js';
import { checkWritten } from './testing/written.js';

const dialects = Object.keys(DIALECTS) as DialectName[];

it('I-3, O-7: a message keeps its canonical form, whatever dialect it came in, and a copy has none', () => {
  let kept = 0;
  const messages = fc.tuple(envelope, fc.constantFrom(...dialects));
  const property = fc.property(messages, ([one, dialect]) => {
    const reading = readMessage(JSON.stringify(encodeEnvelope(one, dialect)), SENDING);
    if (!reading.ok) return;
    checkWritten(reading.value.envelope);
    kept++;
  });
  fc.assert(property, runs(1000));
  expect(kept).toBeGreaterThan(0);
});
