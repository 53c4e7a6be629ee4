import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { diffJson } from '../../json/diff.js';
import { isJsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { Fulfilled } from '../records.js';
import { chooseExecutor } from '../routing/executor.js';
import { checkArguments } from './arguments.js';
import { operationDigest } from './decide-propose.js';
import { fingerprint } from './fingerprint.js';
import type { Proposal } from './proposal.js';

/**
 * The record of a request that fulfils a proposal, or why it cannot run. Whether it may is decided
 * elsewhere.
 *
 * @param seen - what the approver says that it was shown. Somebody new runs a tool that another one
 * served only if a person saw that
 */
export function fulfilmentBy(
  proposal: Proposal,
  envelope: Envelope,
  context: ProposalContext,
  seen?: JsonValue,
): Fulfilled | { readonly refused: Refusal } {
  const choice = chooseExecutor(proposal, envelope.to ?? [], context);
  if (choice.refused !== undefined) return { refused: choice.refused };
  const { executor, insteadOf } = choice;
  if (executor !== undefined && insteadOf !== undefined && insteadOfIn(seen) !== insteadOf)
    return { refused: refuseNewExecutor(proposal, executor, insteadOf) };
  const { params } = envelope.payload;
  const servers = executor === undefined ? [] : [executor];
  const checked = checkArguments({ subject: proposal.subject, params }, servers, context);
  if ('refused' in checked) return checked;
  const amendment = diffJson(proposal.params, params);
  const ranDigest =
    amendment.length === 0 ? proposal.digest : operationDigest(proposal.method, params, context.hash);
  const mismatch = checkDigest(proposal, envelope, ranDigest);
  if (mismatch !== undefined) return { refused: mismatch };
  const answerBy = isNotification(proposal.method) ? undefined : context.now + context.settings.answerTimeout;
  const facts: Fulfilled['facts'] = {
    proposal: proposal.id,
    fingerprint: fingerprint(envelope),
    audience: [proposal.proposer],
    executor,
    answerBy,
    proposedDigest: proposal.digest,
    ranDigest,
    amendment,
    ...(insteadOf === undefined ? {} : { insteadOf }),
    ...checked,
  };
  const isReported = executor === proposal.proposer && answerBy !== undefined;
  return {
    type: 'fulfilled',
    time: context.now,
    principal: envelope.from,
    envelope,
    facts: isReported ? { ...facts, allowed: true } : facts,
  };
}

/** Whose place the executor takes, according to what the approver says that it was shown. */
function insteadOfIn(seen: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(seen) ? seen['insteadOf'] : undefined;
}

function refuseNewExecutor({ id, subject }: Proposal, executor: string, insteadOf: string): Refusal {
  const what = quote(subject?.name ?? '');
  const sentence = `${quote(executor)} would run ${quote(id)}, but ${quote(insteadOf)} served ${what} before.`;
  return refuse('new_executor', sentence, { proposal: id, executor, insteadOf });
}

/**
 * A request may contain the `digest` of what its sender was shown: then it runs exactly that, or
 * nothing (O-29).
 */
function checkDigest({ id }: Proposal, { payload }: Envelope, runs: string): Refusal | undefined {
  const { digest } = payload;
  if (digest === undefined || digest === runs) return undefined;
  const what = `The digest does not match the params that ${quote(id)} would run with.`;
  return refuse('digest_mismatch', what, { field: 'digest', found: digest, expected: runs, proposal: id });
}

/** MCP methods that have no response. The JSON-RPC id does not decide: some clients leave it out. */
function isNotification(method: string): boolean {
  return method.startsWith('notifications/');
}
