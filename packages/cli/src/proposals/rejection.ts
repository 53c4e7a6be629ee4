import { setTimeout as pause } from 'node:timers/promises';
import { describeAfterRejection, type Voice } from '@proffer/core/words';
import type { GatewayConnection } from '../connection/connection.js';
import { looksLikeGuards, type ProposalView } from './proposal-view.js';

/** How long whoever runs its own calls has to withdraw one, in steps and in milliseconds each. */
const STEPS = 40;
const STEP = 50;

/**
 * What a rejection led to, by the state after it: under a veto it has ended (O-31). Guards, hooks and agents that run their
 * own calls withdraw what someone who could approve rejects, if they are still there; other proposers may keep waiting (O-17).
 */
export async function consequenceOf(
  connection: GatewayConnection,
  id: string,
  voice: Voice,
): Promise<string> {
  let { proposal } = await connection.proposal(id);
  const { proposer, wouldRun } = proposal;
  const runsItself = wouldRun?.name === proposer || looksLikeGuards(id);
  const isAbsent = wouldRun?.isConnected === false;
  const steps = runsItself && !isAbsent ? STEPS : 0;
  for (let step = 0; step < steps && proposal.phase === 'pending'; step++) {
    await pause(STEP);
    ({ proposal } = await connection.proposal(id));
  }
  const name = voice.name(proposer);
  if (isWithdrawn(proposal, runsItself)) return `${name} withdrew this call. The caller gets your reason.`;
  if (isAbsent && runsItself && proposal.phase === 'pending')
    return `${name} is not connected. This call stays pending until ${name} returns or the call expires.`;
  return describeAfterRejection(proposal, voice);
}

/**
 * By its proposer, because somebody rejected it. A proposal that had ended before it was looked at no longer says who would
 * have run it.
 */
function isWithdrawn({ phase, ending }: ProposalView, runsItself: boolean): boolean {
  if (phase === 'pending') return false;
  return ending?.why === 'rejected' || (runsItself && ending?.why === 'withdrawn');
}
