import type { Participant } from '@proffer/client/participation';
import type { GatedCallFacts } from '../asked/index.js';
import type { CallJournal, LaterRound } from '../recovery/index.js';

/** Whether it is a later round of a call. */
export function isLaterRound<Facts extends Pick<GatedCallFacts, 'id' | 'round'>>(
  facts: Facts,
): facts is Facts & LaterRound {
  return facts.round !== undefined;
}

/**
 * Tells the space, once, that the outcome of a later round of a call is unknown (O-23). The call itself is settled
 * there with the earlier round, so this is a separate message; without the capability for it nothing is sent.
 */
export function reportRoundUnknown(
  { participant, journal }: { readonly participant: Participant; readonly journal: CallJournal },
  { id, round }: LaterRound,
): void {
  const text = `The outcome of ${id} is unknown: it asked its caller for more input, and how round ${round}, which ran with the answer, ended is not known. It may or may not have run. It is not run again automatically.`;
  // A guard that was killed before it recorded this sends it again with the same id, and it counts once
  // (O-3).
  const message = { id: `${id}-round-${round}-unknown`, kind: 'chat.message', payload: { text } };
  participant.send(message).then(
    () => journal.keep({ type: 'declared', id, round }),
    () => {},
  );
}
