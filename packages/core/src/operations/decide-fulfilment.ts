import type { Decision } from '../decision.js';
import type { Envelope } from '../envelope/envelope.js';
import { quote } from '../json/describe.js';
import { diffJson } from '../json/diff.js';
import { type Refusal, refuse } from '../refusal/refusal.js';
import { checkArguments } from './arguments.js';
import type { ProposalContext } from './context.js';
import { operationDigest } from './decide-propose.js';
import { refuseUnknownProposal } from './decide-remark.js';
import { chooseExecutor } from './executor.js';
import { fingerprint } from './fingerprint.js';
import { checkMayFulfil } from './may-fulfil.js';
import type { Proposal } from './proposal.js';
import type { ProposalRecord } from './records.js';

/**
 * A request that fulfils a proposal (O-11). The first one wins (O-12); the proposer needs the space's
 * permission (O-24); while the proposal is reserved only the preferred may (O-20); changed params are
 * recorded beside what was proposed (O-13, O-25). Capabilities were checked before, for this very
 * request, so an amended call needs the capability for what it has become.
 */
export function decideFulfilment(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  const refused = checkMayFulfil(proposal, envelope.from, context);
  if (refused !== undefined) return { refused };
  const choice = chooseExecutor(proposal, envelope.to ?? [], context);
  if (choice.refused !== undefined) return { refused: choice.refused };
  const { executor } = choice;
  const { params } = envelope.payload;
  const servers = executor === undefined ? [] : [executor];
  const checked = checkArguments({ subject: proposal.subject, params }, servers, context);
  if ('refused' in checked) return checked;
  const amendment = diffJson(proposal.params, params);
  const ranDigest =
    amendment.length === 0 ? proposal.digest : operationDigest(proposal.method, params, context.hash);
  const mismatch = checkDigest(proposal, envelope, ranDigest);
  if (mismatch !== undefined) return { refused: mismatch };
  const record: ProposalRecord = {
    type: 'fulfilled',
    time: context.now,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: proposal.id,
      fingerprint: fingerprint(envelope),
      audience: [proposal.proposer],
      executor,
      answerBy: isNotification(proposal.method) ? undefined : context.now + context.settings.answerTimeout,
      proposedDigest: proposal.digest,
      ranDigest,
      amendment,
      ...checked,
    },
  };
  return { records: [record] };
}

/** A request may say in `digest` what its sender was shown: then it runs exactly that, or nothing (O-29). */
function checkDigest({ id }: Proposal, { payload }: Envelope, runs: string): Refusal | undefined {
  const { digest } = payload;
  if (digest === undefined || digest === runs) return undefined;
  const what = `The digest is not that of the params with which ${quote(id)} would run.`;
  return refuse('digest_mismatch', what, { field: 'digest', found: digest, expected: runs, proposal: id });
}

/** MCP methods that have no response. The JSON-RPC id does not tell: some clients leave it out. */
function isNotification(method: string): boolean {
  return method.startsWith('notifications/');
}
