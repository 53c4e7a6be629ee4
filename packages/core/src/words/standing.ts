import { diffJson } from '../json/diff.js';
import { isInForce } from '../operations/delegation/delegation.js';
import { expiresSoon } from '../operations/proposal/lifetime.js';
import type { Approval, Proposal } from '../operations/proposal/proposal.js';
import { type ApprovalProgress, approvalProgress } from '../operations/review/progress.js';
import { FAILED } from './ending.js';
import { allOf, anyOf, person, subject, type Voice } from './voice.js';

/** What the words about an open proposal depend on; a view of it has that, too. */
export type Open = Pick<
  Proposal,
  | 'phase'
  | 'approvals'
  | 'digest'
  | 'params'
  | 'escalatedTo'
  | 'review'
  | 'proposedAt'
  | 'expiresAt'
  | 'dependencies'
> & { readonly delegations?: Proposal['delegations'] };

/**
 * `1 of 2 approvals, waiting for ann or anyone in finance`; or that a policy that has changed needs no more.
 *
 * @param isSigned - whether each has to be signed (O-49)
 */
export function describeProgress(
  { given, needed, missing }: ApprovalProgress,
  voice: Voice,
  isSigned = false,
): string {
  if (given >= needed)
    return `${given} approval${given === 1 ? '' : 's'}. The policy now needs only ${needed}: any approver can approve again to run this call`;
  const waiting = anyOf(missing.map((each) => person(each, voice)));
  return `${given} of ${needed}${isSigned ? ' signed' : ''} approvals${waiting === '' ? '' : `, waiting for ${waiting}`}`;
}

/**
 * What else is to be known about an open proposal, in phrases without a full stop: its approvals and who is
 * missing, who decides for whom (O-34), what it waits for (O-37), whom the gateway asked because nobody decided
 * (O-33), and that it expires soon (O-36).
 */
export function describeStanding(proposal: Open, now: number, voice: Voice): readonly string[] {
  const { phase, approvals, escalatedTo, review, delegations = [], expiresAt = 0 } = proposal;
  const waits = describeDependencies(proposal, voice);
  if (phase === 'approved') return waits;
  if (phase !== 'pending') return [];
  const progress = approvalProgress(proposal);
  const last = approvals.at(-1);
  const counted = approvals.filter(({ digest }) => digest === last?.digest);
  const by = [...new Set(counted.map((each) => approverIn(each, voice)))];
  const approved = by.length === 0 ? '' : `approved by ${allOf(by)}`;
  const given = approved === '' ? '' : ` (${approved})`;
  const isFree = progress === undefined && approved !== '';
  const asked = anyOf(escalatedTo.map((each) => person(each, voice)));
  return [
    ...(progress === undefined ? [] : [`${describeProgress(progress, voice, review?.signed)}${given}`]),
    // The policy is gone, and a change of the policy runs nothing by itself.
    ...(isFree
      ? [`${approved}, and one approval is enough now: any approver can approve again to run this call`]
      : []),
    ...approvals
      .filter(({ digest }) => digest !== proposal.digest)
      .map((each) => otherThan(proposal, each, voice)),
    ...delegations
      .filter((each) => isInForce(each, now))
      .map(
        (each) =>
          `${subject(each.to, voice)} may decide for ${voice.name(each.by)} until ${voice.moment(each.until)}`,
      ),
    ...waits,
    ...(asked === '' ? [] : [`escalated to ${asked}`]),
    ...(expiresSoon(proposal, now) && expiresAt > now ? [`expires in ${voice.span(expiresAt - now)}`] : []),
  ];
}

/** Someone approved different arguments than the proposed ones: nobody else approves those by accident (O-29). */
function otherThan({ params }: Pick<Proposal, 'params'>, approval: Approval, voice: Voice): string {
  const changes = (approval.params === undefined ? [] : diffJson(params, approval.params)).map(
    ({ path, after }) => {
      const now = after === undefined ? 'removed' : voice.text(JSON.stringify(after));
      return `${voice.text(path.replace(/^\/arguments\//, ''))}: ${now}`;
    },
  );
  const shown = changes.slice(0, MAX_CHANGES).join(', ');
  const more = changes.length > MAX_CHANGES ? ` and ${changes.length - MAX_CHANGES} more` : '';
  return `${approverIn(approval, voice)} approved different arguments${shown === '' ? '' : ` (${shown}${more})`}`;
}

/** More changes are counted. */
const MAX_CHANGES = 3;

/** What has to succeed before a call runs, and what has failed (O-37). */
export function describeDependencies(
  { dependencies }: Pick<Proposal, 'dependencies'>,
  { text }: Voice,
): readonly string[] {
  const { waitsFor = [], failed = [] } = dependencies ?? {};
  return [
    ...(waitsFor.length === 0 ? [] : [`runs after ${allOf(waitsFor.map(text))}`]),
    ...failed.map(({ dependency, outcome }) => `depended on ${text(dependency)}, which ${FAILED[outcome]}`),
  ];
}

function approverIn({ by, onBehalfOf }: Pick<Approval, 'by' | 'onBehalfOf'>, { name }: Voice): string {
  return onBehalfOf === undefined ? name(by) : `${name(by)} for ${name(onBehalfOf.by)}`;
}

/** The time left to decide, and what happens then. */
export function describeDeadline(
  { expiresAt, proposer }: Pick<Proposal, 'expiresAt' | 'proposer'>,
  now: number,
  { span, name }: Voice,
): string {
  if (expiresAt === undefined) return 'No time limit';
  const left = expiresAt - now;
  return left <= 0 ? `Time is up; ${name(proposer)} will be notified` : `Expires in ${span(left)}`;
}

/** That somebody new would run a tool, and what approving means for it (O-26). */
export function describeNewExecutor(
  { executor, insteadOf }: { readonly executor: string; readonly insteadOf: string },
  voice: Voice,
): string {
  const who = subject(executor, voice);
  return `${who} would run this tool for the first time. ${subject(insteadOf, voice)} served it before. If you approve, ${voice.name(executor)} may run it from now on.`;
}

/** For whom a proposal is, and until when, if it names someone (O-20). */
export function describeReservation(
  { targeting, addressees, opened }: Pick<Proposal, 'targeting' | 'addressees' | 'opened'>,
  { name, moment }: Voice,
): string | undefined {
  if (addressees.length === 0) return undefined;
  const whom = allOf(addressees.map(name));
  if (targeting?.exclusive !== true) return `asked of ${whom}; others may decide, too`;
  if (opened) return `was reserved for ${whom}; anyone may decide now`;
  const then = targeting.fallback ? 'then anyone may decide' : 'then the call is declined';
  return `reserved for ${whom}${targeting.until === undefined ? '' : ` until ${moment(targeting.until)}`}; ${then}`;
}
