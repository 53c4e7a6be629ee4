import { randomUUID } from 'node:crypto';
import { type Participant, RefusedError } from '@proffer/client';

/**
 * Claims an approved call, to run it or to give it up. True for exactly one claim among all
 * processes: the journal accepts its id once, and every claim has different content (O-3). False if
 * another was first, or the call has ended.
 */
export async function claim(
  participant: Participant,
  proposal: string,
  to: 'run' | 'give up',
): Promise<boolean> {
  try {
    const what = to === 'run' ? 'Started' : 'Given up';
    const message = `${what} by ${participant.name} (process ${process.pid}, claim ${randomUUID()}).`;
    const receipt = await participant.status(proposal, 'processing', { id: `${proposal}-began`, message });
    return receipt.status === 'accepted';
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'id_conflict') return false;
    throw error;
  }
}
