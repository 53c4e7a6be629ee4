import type { ExecutorConfirmed, ProposalRecord } from '../records.js';
import type { SpaceState } from '../space/space.js';
import type { StreamAppend } from '../space/space-decision.js';
import { noticeTo } from './participant-notice.js';

/**
 * What must be in the journal before somebody new runs a tool that another one served: that a person let it
 * (O-26). It goes to the stream of the new executor, because retention removes those of proposals. From then
 * on it may run this tool like the one before it. `undefined` if nobody new runs anything, or an approval is
 * not complete yet.
 */
export function confirmExecutor(
  space: SpaceState,
  records: readonly ProposalRecord[],
): StreamAppend | undefined {
  const record = records.find(isComplete);
  if (record === undefined || !('insteadOf' in record.facts)) return undefined;
  const { executor: participant, insteadOf, proposal: about } = record.facts;
  const subject = space.proposals.get(about)?.subject;
  if (subject === undefined || participant === undefined || insteadOf === undefined) return undefined;
  const { time, principal: by } = record;
  const { list, name } = subject;
  const payload = { notice: 'executor_confirmed', executor: participant, list, name, insteadOf, by } as const;
  const { stream, expectedVersion, noticed } = noticeTo(space, { participant, about, time, payload });
  const facts = { participant, list, name, insteadOf, by, about };
  const confirmed: ExecutorConfirmed = { type: 'executor_confirmed', ...noticed, facts };
  return { stream, expectedVersion, records: [confirmed] };
}

/** Whether a record lets a call run: now, or once those that it depends on are done (O-37). */
function isComplete({ type, facts }: ProposalRecord): boolean {
  return type === 'fulfilled' || ('waitsFor' in facts && facts.waitsFor !== undefined);
}
