import { mayRemoveSession } from './negotiation/retention.js';
import { mayRemoveProposal } from './operations/space/retention.js';

export { streamsAwaitedBy } from './operations/space/retention.js';

import type { SealedRecord } from './record/record.js';

/**
 * Whether retention may remove a stream, given its last record: a proposal or a session that can no
 * longer change. Everything else stays.
 */
export function mayBeRemoved(last: SealedRecord): boolean {
  return mayRemoveProposal(last) || mayRemoveSession(last);
}
