import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { textOf } from '../../json/fields.js';
import { isJsonObject } from '../../json/json.js';
import type { ParticipantRights, ProposalContext } from '../context.js';
import { waitsFor } from '../dependencies/dependency.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { beginProposal } from '../proposal/evolve-proposal.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Fulfilled, ProposalRecord, Proposed } from '../records.js';
import { reviewOf } from '../review/approvers.js';
import { countApproval } from '../review/count-approval.js';
import { compiledSources, type Grant } from './grant.js';
import { grantFor } from './use.js';

/**
 * A new proposal that a grant covers runs at once (O-41): its proposer could make the request itself,
 * so no one is asked. It runs in the granter's name, as if they approved it now, by the same rules.
 * If one approval by that person would not run it, it waits for people: under a review policy, while
 * approvals are paused, while it depends on other proposals, if it is reserved, if nobody is present
 * to run it, or if the proposer wants people to be asked.
 */
export function runIfGranted(
  decision: Decision<ProposalRecord>,
  context: ProposalContext,
): Decision<ProposalRecord> {
  const [record] = decision.records ?? [];
  const run = record?.type === 'proposed' ? runGranted(record, context) : undefined;
  if (record?.type !== 'proposed' || run === undefined) return decision;
  const { grant: runsBy } = run.facts;
  return {
    records: [{ ...record, facts: { ...record.facts, ...(runsBy === undefined ? {} : { runsBy }) } }, run],
  };
}

function runGranted(record: Proposed, context: ProposalContext): Fulfilled | undefined {
  const grant = grantOf(record.envelope, context);
  if (grant === undefined) return undefined;
  const proposal = beginProposal(record);
  if (waitsFor(proposal).length > 0) return undefined;
  const { granter: from, id } = grant;
  const request = derivedRequest(proposal, proposal.params, { ...record.envelope, from, to: [] });
  if (reviewOf(proposal, context.settings, proposal.params) !== undefined) return undefined;
  const inTheirName = { ...context, sender: granterOf(grant, context), grant: undefined };
  const [run] = countApproval(proposal, { envelope: request, request }, inTheirName).records ?? [];
  return run?.type === 'fulfilled' ? { ...run, facts: { ...run.facts, grant: id } } : undefined;
}

/** The grant that covers a proposal; `undefined` if people must be asked whatever was granted. */
function grantOf({ from, payload }: Envelope, context: ProposalContext): Grant | undefined {
  const { space, grant } = context;
  // The common case.
  if (space.grants.size === 0) return undefined;
  if (payload['grants'] === false || grant !== undefined || space.pause?.isPaused === true) return undefined;
  const { method, params, origin } = payload;
  const asked = { method: textOf(method), params: isJsonObject(params) ? params : undefined };
  const session = isJsonObject(origin) ? textOf(origin['session']) : '';
  return grantFor(space, { ...requestFor(asked, from), session }, context);
}

/** The granter, as far as known: for one who is away, as recorded in the grant. */
function granterOf({ granter, within, subject }: Grant, { rightsOf }: ProposalContext): ParticipantRights {
  const known = rightsOf?.(granter);
  if (known !== undefined) return known;
  const capabilities = compiledSources(within);
  return subject === undefined ? { capabilities } : { capabilities, subject };
}
