import { randomUUID } from 'node:crypto';
import { defined } from '@proffer/core/json';
import type { Assertion, SignedDecision } from '@proffer/core/operations';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { delegationMessage, grantMessage } from '../connection/envelopes.js';
import { visibleName } from '../display/operation.js';
import { sendApproval, shownDecision } from '../proposals/approval.js';
import { whyNotApprove } from '../proposals/may-approve.js';
import type { LoggedMessage, ProposalView } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';
import { decisionFailed, signWithOwnKey } from '../proposals/sign-approval.js';
import { formatSpan } from '../terminal/visible.js';
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

const NO_KEY = 'an approval has to be signed, and no key of yours is on this machine';

/** Approves calls that were shown together, one by one (O-35). Those that changed since are skipped and named. */
export async function approveAll(connection: GatewayConnection, batch: readonly BatchItem[]): Promise<Note> {
  const id = randomUUID();
  const leftOut: string[] = [];
  const asked: (readonly [BatchItem, SignedDecision])[] = [];
  const approve = async ({ proposal, executor }: BatchItem, signature?: Assertion): Promise<void> => {
    const { params } = proposal;
    const options = { params, executor, batch: id, ...defined({ signature }) };
    const sent = await sendApproval(connection, proposal, options);
    if (sent.status === 'late') leftOut.push(`${proposal.id} is no longer pending`);
  };
  const tryToApprove = async (item: BatchItem, signature?: Assertion): Promise<void> => {
    const { proposal, executor } = item;
    try {
      await approve(item, signature);
    } catch (error) {
      const shown = shownDecision(proposal, { params: proposal.params, executor });
      const decision = signature === undefined ? decisionFailed(error, shown, connection) : undefined;
      if (decision !== undefined) return void asked.push([item, decision]);
      if (!(error instanceof CommandFailure) || error.failure.exit === EXIT.unreachable) throw error;
      leftOut.push(`${proposal.id}: ${error.failure.message}`);
    }
  };
  for (const item of batch) await tryToApprove(item);
  // Approvals that have to be signed are signed together.
  const decisions = asked.map(([, decision]) => decision);
  const signature = asked.length === 0 ? undefined : await signWithOwnKey(connection, decisions);
  for (const [item] of asked)
    if (signature === undefined) leftOut.push(`${item.proposal.id}: ${NO_KEY}`);
    else await tryToApprove(item, signature);
  const approved = batch.length - leftOut.length;
  if (leftOut.length === 0) return { text: `Approved all ${approved}.`, tone: 'good' };
  return { text: `Approved ${approved} of ${batch.length}. Left out:`, hints: leftOut, tone: 'bad' };
}

/** For how long something may run without approval (O-41). */
export interface Allowance {
  readonly words: string;
  readonly bounds: { readonly ttl?: number; readonly uses?: number; readonly session?: string };
}

const HOUR = 3_600_000;

/** The choices for the keys 1, 2, …: the agent's session, if the proposal names one, comes last. */
export function allowancesFor({ origin }: Pick<ProposalView, 'origin'>): readonly Allowance[] {
  const { session } = origin ?? {};
  return [
    { words: 'for an hour', bounds: { ttl: HOUR } },
    { words: 'the next five times', bounds: { uses: 5 } },
    ...(session === undefined ? [] : [{ words: 'for this session', bounds: { session } }]),
  ];
}

/** Why this call cannot be allowed from now on; `undefined` if it can. */
export function whyNotAllowed({
  review,
  subject,
}: Pick<ProposalView, 'review' | 'subject'>): string | undefined {
  if (review !== undefined)
    return 'A review policy requires approval of every call, so a grant would change nothing. Press a to approve this call.';
  // A star in a pattern cannot be escaped.
  if (subject?.name.includes('*') === true)
    return 'A tool whose name contains an asterisk (*) cannot be granted on its own.';
  return undefined;
}

/** The capability to call the same tool, prompt or resource again, with any arguments. */
function capabilityFor({ method, subject }: Pick<ProposalView, 'method' | 'subject'>): string {
  return `mcp.request.${method}${subject === undefined ? '' : `:${subject.name}`}`;
}

/**
 * The operation that a notice reports with an unknown outcome (O-23), if it was approved here; it is no
 * longer waited for.
 */
export function unknownIn(
  { kind, payload }: LoggedMessage,
  approved: Map<string, string>,
): string | undefined {
  const { notice, request } = payload;
  if (kind !== 'system.notice' || notice !== 'outcome_unknown' || typeof request !== 'string')
    return undefined;
  const operation = approved.get(request);
  approved.delete(request);
  return operation;
}

/** What the reader may approve depends on who they are; resolved again when the gateway reports it again. */
export function whyNotFor(members: readonly Present[] | undefined) {
  const [reader] = members ?? [];
  return reader === undefined ? undefined : whyNotApprove(reader);
}
