import { VersionedMap } from '../../collections/versioned-map.js';
import { subjectOf } from '../../envelope/kind.js';
import { textOf } from '../../json/fields.js';
import type { JsonObject } from '../../json/json.js';
import { type RecordContent, throwUnsupported } from '../../record/record.js';
import { countedIn, withAgreement } from '../agreements/evolve-agreements.js';
import { type CounterAccepted, withAcceptance, withCounter, withdrawnBy } from '../counter/counter.js';
import { delegationOf, withDelegation } from '../delegation/delegation.js';
import {
  approvedParams,
  beginDependencies,
  clearedBy,
  evolveDependencies,
  failedBy,
} from '../dependencies/evolve-dependencies.js';
import type { SignatureFacts } from '../keys/check-assertion.js';
import type { Approved, ProposalRecord, Proposed } from '../records.js';
import { endingByNotice, endingByTime, endingByWithdrawal } from './ending.js';
import {
  type Approval,
  type OperationOutcome,
  type Origin,
  type Proposal,
  partyOf,
  personOf,
} from './proposal.js';
import { approvalOf, fulfilmentOf, outcomeOf, rejectionOf, statusOf } from './read-records.js';

const NO_REJECTIONS: Proposal['rejections'] = VersionedMap.empty();
const NO_STATUSES: Proposal['statuses'] = VersionedMap.empty();
const NO_APPROVALS: Proposal['approvals'] = [];
const NO_COUNTERS: Proposal['counters'] = [];
const NOBODY: readonly string[] = [];
const NO_DELEGATIONS: Proposal['delegations'] = [];
const NO_SIGNATURES: Proposal['signatures'] = [];
const NO_STEPS: Proposal['escalation'] = [];

/** The state of a new proposal. */
export function beginProposal(record: Proposed): Proposal {
  const { envelope, facts, time } = record;
  const { executor, origin } = envelope.payload;
  const method = textOf(envelope.payload['method']);
  const params = envelope.payload['params'] as JsonObject | undefined;
  const subject = subjectOf(method, params);
  return {
    id: envelope.id,
    version: 1,
    proposer: record.principal,
    to: envelope.to ?? [],
    addressees: facts.addressees,
    method,
    params,
    subject,
    executor: typeof executor === 'string' ? executor : undefined,
    argumentFaults: facts.argumentFaults,
    origin: origin as Origin | undefined,
    digest: facts.digest,
    fingerprint: facts.fingerprint,
    requester: facts.requester,
    proposedAt: time,
    expiresAt: facts.expiresAt,
    warnAt: facts.warnAt,
    escalation: facts.escalation ?? NO_STEPS,
    targeting: facts.targeting,
    answerDueAt: facts.answerDueAt,
    dependencies: beginDependencies(record),
    cleared: undefined,
    phase: 'pending',
    opened: false,
    declined: false,
    changedAt: time,
    rejections: NO_REJECTIONS,
    statuses: NO_STATUSES,
    approvals: NO_APPROVALS,
    counters: NO_COUNTERS,
    agreements: undefined,
    escalatedTo: NOBODY,
    delegations: NO_DELEGATIONS,
    signatures: NO_SIGNATURES,
    newsAt: 0,
    review: facts.review,
    ending: undefined,
    fulfilment: undefined,
    outcome: undefined,
  };
}

/**
 * Folds one record of a proposal's stream. Reads no settings and no context: whatever the decision
 * found is in the record, so that replay always gives the same state (I-3).
 */
export function evolveProposal(proposal: Proposal | undefined, record: ProposalRecord): Proposal {
  if (record.type === 'proposed') return beginProposal(record);
  if (proposal === undefined) throw new Error(`a stream cannot begin with ${record.type}`);
  const version = proposal.version + 1;
  const { time, principal } = record;
  switch (record.type) {
    case 'approved': {
      const approval = approvalIn(proposal, record);
      const isRepeated = ({ by, digest }: Approval) => by === approval.by && digest === approval.digest;
      const others = proposal.approvals.filter((each) => !isRepeated(each));
      const approvals = [...others, approval];
      const { signed } = record.facts;
      const used = signed === undefined ? {} : { signatures: withSignature(proposal, signed) };
      return changed(proposal, {
        version,
        approvals,
        ...used,
        ...countedIn(proposal, record),
        ...clearedBy(proposal, record),
      });
    }
    case 'agreed':
      return changed(proposal, { version, newsAt: version, ...withAgreement(proposal, record) });
    case 'countered':
      return changed(proposal, { version, newsAt: version, ...withCounter(proposal, record) });
    case 'counter_accepted': {
      const accepted = withAcceptance(proposal, record, approvalIn(proposal, record));
      return changed(proposal, { version, ...accepted, ...clearedBy(proposal, record) });
    }
    case 'fulfilled': {
      const fulfilment = fulfilmentOf(record);
      const phase = record.facts.allowed === true ? 'allowed' : 'fulfilled';
      return changed(proposal, { version, phase, changedAt: time, fulfilment });
    }
    case 'answered':
      return changed(proposal, { version, phase: 'settled', changedAt: time, outcome: outcomeOf(record) });
    case 'withdrawn': {
      const ending = endingByWithdrawal(proposal, record);
      return changed(proposal, { version, phase: 'withdrawn', changedAt: time, ending });
    }
    case 'rejected': {
      const rejection = rejectionOf(record);
      const rejections = proposal.rejections.set(principal, rejection);
      // Rejecting withdraws the sender's approval, with whichever token it was given, and what was
      // approved in its place.
      const person = personOf({ by: principal, ...rejection });
      const approvals = approvalsWithout(proposal, principal, person);
      const isSame = approvals.length === proposal.approvals.length;
      const counters = withdrawnBy(proposal.counters, person);
      const kept = isSame ? { counters } : { counters, approvals };
      return changed(proposal, { version, newsAt: version, rejections, ...kept });
    }
    case 'approval_withdrawn': {
      const person = personOf({ by: principal, ...record.facts });
      return changed(proposal, { version, approvals: approvalsWithout(proposal, principal, person) });
    }
    case 'review_delegated': {
      const delegation = delegationOf(principal, record.facts);
      return changed(proposal, {
        version,
        delegations: withDelegation(proposal.delegations, principal, delegation),
      });
    }
    case 'status_reported':
      // Who looks at hidden values still does what they were doing.
      if (record.envelope.payload['status'] === 'revealed') return changed(proposal, { version });
      return changed(proposal, { version, statuses: proposal.statuses.set(principal, statusOf(record)) });
    case 'nobody_capable':
    case 'addressees_absent':
    case 'options_unused':
      return changed(proposal, { version });
    case 'unanswered':
      return { ...changed(proposal, { version }), answerDueAt: undefined };
    case 'renewed': {
      const { expiresAt, warnAt } = record.facts;
      return { ...changed(proposal, { version }), expiresAt, warnAt };
    }
    case 'expiring':
      return { ...changed(proposal, { version }), warnAt: undefined };
    case 'escalated': {
      const escalatedTo = [...new Set([...proposal.escalatedTo, ...record.facts.to])];
      return changed(proposal, { version, escalatedTo, escalation: proposal.escalation.slice(1) });
    }
    case 'dependencies_met':
    case 'dependency_failed':
      return changed(proposal, { version, ...evolveDependencies(proposal, record) });
    case 'expired':
      return changed(proposal, {
        version,
        phase: 'expired',
        changedAt: time,
        ending: endingByTime(proposal),
      });
    case 'declined':
      if (!record.facts.final) return changed(proposal, { version, declined: true });
      return changed(proposal, {
        version,
        declined: true,
        phase: 'declined',
        changedAt: time,
        ending: endingByNotice(proposal, record),
        ...failedBy(proposal, record),
      });
    case 'opened':
      return changed(proposal, { version, opened: true });
    case 'outcome_unknown': {
      const { by = proposal.fulfilment?.executor, response } = proposal.outcome ?? {};
      const outcome: OperationOutcome = {
        result: 'unknown',
        at: time,
        ...(by === undefined ? {} : { by }),
        ...(response === undefined ? {} : { response }),
        cause: record.facts.cause,
      };
      return changed(proposal, { version, phase: 'settled', changedAt: time, outcome });
    }
    default:
      return throwUnsupported('record', (record satisfies never as RecordContent).type);
  }
}

/** An approval, with its params if they are not the proposed ones: others have to see them. */
function approvalIn(proposal: Proposal, record: Approved | CounterAccepted): Approval {
  const approval = approvalOf(record);
  const params = approval.digest === proposal.digest ? undefined : approvedParams(proposal, record);
  return params === undefined ? approval : { ...approval, params };
}

/** The approvals that are not of this person, nor given in its place. */
export function approvalsWithout(
  { approvals }: Pick<Proposal, 'approvals'>,
  name: string,
  person: string,
): readonly Approval[] {
  return approvals.filter(
    (each) => each.by !== name && personOf(each) !== person && partyOf(each) !== person,
  );
}

/** Only the last signature of a key has to be remembered: no earlier one counts after it. */
function withSignature({ signatures }: Proposal, signed: SignatureFacts): readonly SignatureFacts[] {
  return [...signatures.filter(({ key }) => key !== signed.key), signed];
}

type Changes = Pick<Proposal, 'version'> &
  Partial<
    Pick<
      Proposal,
      | 'phase'
      | 'escalation'
      | 'dependencies'
      | 'cleared'
      | 'opened'
      | 'declined'
      | 'changedAt'
      | 'rejections'
      | 'statuses'
      | 'approvals'
      | 'counters'
      | 'agreements'
      | 'escalatedTo'
      | 'delegations'
      | 'signatures'
      | 'newsAt'
      | 'ending'
      | 'fulfilment'
      | 'outcome'
    >
  >;

/** Field by field: engines take many times as long to add to a copy, and this is done for every message. */
function changed(before: Proposal, changes: Changes): Proposal {
  return {
    id: before.id,
    version: changes.version,
    proposer: before.proposer,
    to: before.to,
    addressees: before.addressees,
    method: before.method,
    params: before.params,
    subject: before.subject,
    executor: before.executor,
    argumentFaults: before.argumentFaults,
    origin: before.origin,
    digest: before.digest,
    fingerprint: before.fingerprint,
    requester: before.requester,
    proposedAt: before.proposedAt,
    expiresAt: before.expiresAt,
    warnAt: before.warnAt,
    escalation: changes.escalation ?? before.escalation,
    targeting: before.targeting,
    answerDueAt: before.answerDueAt,
    dependencies: changes.dependencies ?? before.dependencies,
    // Usually there was none, and then there is nothing to remove.
    cleared: before.cleared === undefined || 'cleared' in changes ? changes.cleared : before.cleared,
    phase: changes.phase ?? before.phase,
    opened: changes.opened ?? before.opened,
    declined: changes.declined ?? before.declined,
    changedAt: changes.changedAt ?? before.changedAt,
    rejections: changes.rejections ?? before.rejections,
    statuses: changes.statuses ?? before.statuses,
    approvals: changes.approvals ?? before.approvals,
    counters: changes.counters ?? before.counters,
    agreements: changes.agreements ?? before.agreements,
    escalatedTo: changes.escalatedTo ?? before.escalatedTo,
    delegations: changes.delegations ?? before.delegations,
    signatures: changes.signatures ?? before.signatures,
    newsAt: changes.newsAt ?? before.newsAt,
    review: before.review,
    ending: changes.ending ?? before.ending,
    fulfilment: changes.fulfilment ?? before.fulfilment,
    outcome: changes.outcome ?? before.outcome,
  };
}
