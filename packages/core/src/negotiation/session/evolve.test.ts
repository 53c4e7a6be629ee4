import { describe, expect, it } from 'vitest';
import { replay } from '../../decision.js';
import { given } from '../testing/given.js';
import { propose, start } from '../testing/steps.js';
import { sessionDecider } from './decide.js';
import type { SessionRecord } from './records.js';

const { records } = given(start(), propose('seller', 'p1'));
const [started, accepted] = records as [SessionRecord, SessionRecord];

/** The same record as a newer version, or a damaged journal, may contain it. */
function strange(record: SessionRecord, change: object): SessionRecord {
  return { ...record, ...change };
}

describe('replaying a session', () => {
  it.each([
    [
      'an unknown record type',
      [started, strange(accepted, { type: 'session_merged' })],
      'This version does not support the record type "session_merged": read the journal with a newer one.',
    ],
    [
      'an unknown message type',
      [started, strange(accepted, { envelope: { ...accepted.envelope, message_type: 'Vote' } })],
      'This version does not support the message type "Vote": read the journal with a newer one.',
    ],
    [
      'a first record that is not the start',
      [accepted],
      'A session cannot begin with a record of type "message_accepted"',
    ],
    [
      'a first record of an unknown type',
      [strange(started, { type: 'session_imported' })],
      'A session cannot begin with a record of type "session_imported": the journal is damaged, or needs a newer version.',
    ],
  ])('I-3, N-12: stops at %s', (_, stored, message) => {
    expect(() => replay(sessionDecider, stored)).toThrow(message);
  });
});
