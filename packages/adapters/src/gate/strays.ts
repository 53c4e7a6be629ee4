import type { Message, Participant } from '@proffer/client';
import { isGateProposal } from './call.js';
import { answerRequest, claim, NOBODY_WAITS } from './claim.js';

/** How long another process of the agent has to take an approved call, in milliseconds. */
const GRACE = 3_000;

/**
 * Answers approvals of calls that no process of this agent waits for any more, such as those of one
 * that died and was not resumed: nothing was run. Another process under the same name may be waiting,
 * so it gets time to start; since starting and this answer need the same claim, both never happen.
 *
 * @param isKnown - whether this process waits for a proposal
 * @param hold - keeps the connection open; returns a function that releases it
 */
export function answerStrays(
  participant: Participant,
  isKnown: (proposal: string) => boolean,
  hold: () => () => void,
): void {
  participant.on('message', ({ kind, to = [], from, id, correlationId }: Message) => {
    const isApproval = kind.startsWith('mcp.request.tools/call') && to.includes(participant.name);
    if (!isApproval || typeof correlationId !== 'string') return;
    if (!isGateProposal(correlationId) || isKnown(correlationId)) return;
    const release = hold();
    setTimeout(() => {
      void giveUp(participant, correlationId, { by: from, request: id })
        .catch(() => {})
        .finally(release);
    }, GRACE);
  });
}

async function giveUp(
  participant: Participant,
  proposal: string,
  approval: { readonly by: string; readonly request: string },
): Promise<void> {
  if (await claim(participant, proposal, 'give up'))
    await answerRequest(participant, approval, { notRun: NOBODY_WAITS });
}
