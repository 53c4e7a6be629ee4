import type { Proposal } from '@proffer/core/operations';
import { type ApprovalDetails, approve, attempt, isSigned, noteRefused, sign } from '../decide/decisions.js';
import type { Space } from '../space/space.js';

/** An approval of a call as it was shown. */
export interface ShownApproval {
  readonly proposal: Proposal;
  readonly approval: ApprovalDetails;
}

/** Approves several, each as it was shown. Those that have to be signed are signed together, with one prompt. */
export async function approveTogether(space: Space, calls: readonly ShownApproval[]): Promise<void> {
  const signed = calls.filter(({ proposal }) => isSigned(space, proposal));
  const others = calls.filter((call) => !signed.includes(call));
  for (const { proposal, approval } of others) void approve(space, proposal, approval);
  const found = await Promise.all(
    signed.map(async (call) => {
      const decision = await attempt(space, call.proposal, call.approval);
      return decision === undefined ? [] : [{ ...call, decision }];
    }),
  );
  const asked = found.flat();
  if (asked.length === 0) return;
  const decisions = asked.map(({ decision }) => decision);
  const [signature, problem] = await sign(space, decisions);
  for (const { proposal, approval } of asked)
    if (signature === undefined) noteRefused(proposal, approval, problem);
    else void attempt(space, proposal, approval, signature);
}
