import { describeAfterRejection, type Voice } from '@proffer/core/words';
import type { Connection } from '../connection/connection.js';
import { looksLikeGuards } from './guard-id.js';

/**
 * What a rejection led to, by the state after it: under a veto it has ended (O-31). A guard withdraws what someone who
 * could approve rejects, in a moment; other proposers may keep waiting (O-17).
 */
export async function consequenceOf(connection: Connection, id: string, voice: Voice): Promise<string> {
  const { proposal } = await connection.proposal(id);
  if (proposal.phase === 'pending' && looksLikeGuards(id))
    return 'The guard withdraws this call, and the caller gets your reason.';
  return describeAfterRejection(proposal, voice);
}
