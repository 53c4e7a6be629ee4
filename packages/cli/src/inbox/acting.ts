import { randomUUID } from 'node:crypto';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { delegationMessage, grantMessage } from '../connection/envelopes.js';
import { visibleName } from '../display/operation.js';
import { sendApproval } from '../proposals/approval.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { formatSpan } from '../terminal/visible.js';
import { type Allowance, capabilityFor } from './allowance.js';
import type { BatchItem, Note } from './state.js';

/** Lets the proposer do the same again without approval (O-41). */
export async function allow(
  connection: GatewayConnection,
  proposal: ProposalView,
  { words, bounds }: Allowance,
): Promise<Note> {
  const { proposer, id } = proposal;
  const granted = grantMessage(proposer, [capabilityFor(proposal)], {
    ...bounds,
    reason: `allowed ${words}`,
  });
  await connection.send(granted);
  const text = `${proposer} may call ${visibleName(proposal)} ${words}. ${id} still needs your decision.`;
  return { text, tone: 'good' };
}

/** Delegates your part in one review or in all of them; without a delegate, takes it back (O-34). */
export async function delegate(
  connection: GatewayConnection,
  handed: { readonly to: string; readonly span: number } | undefined,
  { id, now }: { readonly id?: string | undefined; readonly now: number },
): Promise<Note> {
  const until = handed === undefined ? undefined : { to: handed.to, until: now + handed.span };
  const sent = await connection.send(delegationMessage(until, id));
  const what = id ?? 'everything';
  if (sent.status === 'late') return { text: `Too late: ${what} is no longer pending.`, tone: 'bad' };
  const text =
    handed === undefined
      ? `You review ${what} yourself again.`
      : `${handed.to} reviews ${what} in your place for ${formatSpan(handed.span)}.`;
  return { text, tone: 'good' };
}

/** Approves calls that were shown together, one by one (O-35). Those that changed since are skipped and named. */
export async function approveAll(connection: GatewayConnection, batch: readonly BatchItem[]): Promise<Note> {
  const id = randomUUID();
  const leftOut: string[] = [];
  for (const { proposal, executor } of batch) {
    try {
      const sent = await sendApproval(connection, proposal, { params: proposal.params, executor, batch: id });
      if (sent.status === 'late') leftOut.push(`${proposal.id}: it is no longer pending`);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.failure.exit === EXIT.unreachable) throw error;
      leftOut.push(`${proposal.id}: ${error.failure.message}`);
    }
  }
  const approved = batch.length - leftOut.length;
  if (leftOut.length === 0) return { text: `Approved all ${approved}.`, tone: 'good' };
  return { text: `Approved ${approved} of ${batch.length}. Left out:`, hints: leftOut, tone: 'bad' };
}
