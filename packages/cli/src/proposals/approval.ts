import type { Sent } from '@proffer/client/http';
import { type ApprovalProgress, approvalProgress } from '@proffer/core/approvals';
import type { JsonObject } from '@proffer/core/json';
import { sameJson } from '@proffer/core/json';
import { CommandFailure } from '../command-failure.js';
import type { Connection } from '../connection/connection.js';
import { fulfilmentMessage } from '../connection/envelopes.js';
import { sameOptions } from '../connection/gateway-url.js';
import { EXIT } from '../exit-code.js';
import { commandAbout } from '../terminal/shell-word.js';
import type { ProposalView } from './proposal-view.js';

/** What is approved other than the proposal as shown. */
export interface ApprovalOptions {
  /** The params that are to run. */
  readonly params: JsonObject | undefined;
  /** Who is to run it, where that is known or was chosen. */
  readonly executor: string | undefined;
  /** The id of the approving message; made up by the gateway if not given. */
  readonly request?: string;
  /** What ties approvals together that are given in one action (O-35). */
  readonly batch?: string;
}

/**
 * Approves exactly what was shown. The proposal is read once more right before, and nothing is sent where it is no
 * longer the same: what a person has not seen, they have not approved.
 *
 * @throws CommandFailure `digest_mismatch` where it changed since it was shown
 */
export async function sendApproval(
  connection: Connection,
  shown: ProposalView,
  { params, executor, request, batch }: ApprovalOptions,
): Promise<Sent> {
  const { proposal } = await connection.proposal(shown.id);
  checkDigest(proposal, shown.digest, connection);
  if (!sameJson(proposal.params, shown.params)) throw changed(proposal, shown.digest, connection);
  const message = fulfilmentMessage(shown, params, {
    to: executor,
    ...(batch === undefined ? {} : { shown: { batch, seen: seenIn(shown, executor) } }),
  });
  return await connection.send(request === undefined ? message : { ...message, id: request });
}

/** What was shown of a proposal: the gateway leaves it alone if that is no longer so (O-35). */
function seenIn({ version, wouldRun }: ProposalView, chosen: string | undefined): JsonObject {
  const executor = chosen ?? wouldRun?.name;
  // The gateway did not show what any other executor announced.
  const definition = executor === wouldRun?.name ? wouldRun?.definition : undefined;
  return {
    version,
    ...(executor === undefined ? {} : { executor }),
    ...(definition === undefined ? {} : { definition }),
  };
}

/** The proposals that an approved one still waits for (O-37); `undefined` where it runs, or is not approved yet. */
export async function waitsAfter(connection: Connection, id: string): Promise<readonly string[] | undefined> {
  const found = await connection.proposal(id).catch(() => undefined);
  return found?.proposal.phase === 'approved' ? (found.proposal.dependencies?.waitsFor ?? []) : undefined;
}

/**
 * How far an approval leads that a policy counts and that was not enough (O-29): the proposal is still pending.
 * `undefined` where it runs, and where the gateway cannot be asked.
 */
export async function progressAfter(
  connection: Connection,
  id: string,
): Promise<ApprovalProgress | undefined> {
  const found = await connection.proposal(id).catch(() => undefined);
  return found === undefined ? undefined : approvalProgress(found.proposal);
}

/** Refuses a proposal that is not the one with this digest. */
export function checkDigest(proposal: ProposalView, digest: string, connection: Connection): void {
  if (proposal.digest !== digest) throw changed(proposal, digest, connection);
}

function changed({ id, digest: found }: ProposalView, expected: string, { name, endpoint }: Connection) {
  const show = commandAbout(`${name} show`, [id], { options: sameOptions(endpoint) });
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'digest_mismatch',
    message: `${JSON.stringify(id)} is not what you were shown: its digest is ${found}. Nothing was approved.`,
    details: { proposal: id, expected, found },
    next: [`${show}   # look at it again`],
  });
}
