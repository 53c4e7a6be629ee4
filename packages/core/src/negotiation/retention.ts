import type { SealedRecord } from '../record/record.js';
import { endingOf } from './session/ending.js';
import type { SessionRecord } from './session/records.js';
import { sessionOfStream } from './streams.js';

/**
 * Whether retention may remove a session, given its last record: only one that has ended (N-4). An open or suspended
 * one stays however old it is, even if its time is up, until that is recorded (N-5).
 *
 * @param last - the last record of any stream; false if it is not a session's
 */
export function mayRemoveSession(last: SealedRecord): boolean {
  const isSession = sessionOfStream(last.stream) !== undefined;
  return isSession && endingOf(last as SealedRecord<SessionRecord>) !== undefined;
}
