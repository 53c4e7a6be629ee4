import type { Participant } from '@proffer/client/participation';
import type { CallJournal, LaterRound } from '../recovery/index.js';

/**
 * Tells the space, once, that nobody can say how a later round of a call ended (O-23). The call itself is settled there
 * with what came before that round, so this is a message of its own; without the capability for it nothing is said.
 */
export function sayRoundUnknown(
  { participant, journal }: { readonly participant: Participant; readonly journal: CallJournal },
  { id, round }: LaterRound,
): void {
  const text = `The outcome of ${id} is unknown: it asked its caller for more input, and how round ${round}, which ran with the answer, ended is not known. It may or may not have run. It is not run again automatically.`;
  participant.chat(text).then(
    () => journal.keep({ type: 'declared', id, round }),
    () => {},
  );
}
