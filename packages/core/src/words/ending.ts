import type { FailedOutcome } from '../operations/dependencies/dependency.js';
import { GAVE_UP, type ProposalEnding } from '../operations/proposal/ending.js';
import type { UnknownCause } from '../operations/proposal/proposal.js';
import { describeRejection } from './reason.js';
import { allOf, subject, type Voice } from './voice.js';

type EndingOf<Why extends ProposalEnding['why']> = Extract<ProposalEnding, { why: Why }>;

const ENDINGS: { readonly [Why in ProposalEnding['why']]: (ending: EndingOf<Why>, voice: Voice) => string } =
  {
    withdrawn: ({ by, reason }, voice) => {
      const why = reason === undefined ? '' : ` (${voice.text(reason)})`;
      return `${subject(by, voice)} withdrew this call${reason === GAVE_UP ? ' because it was rejected' : why}.`;
    },
    rejected: describeRejection,
    veto: (ending, voice) =>
      `${describeRejection(ending, voice)} Under the policy ${voice.text(ending.entry)}, a single rejection declines it.`,
    impossible: (ending, voice) =>
      `${describeRejection(ending, voice)} Too few people are left to approve it under the policy ${voice.text(ending.entry)}.`,
    unanswered: (ending, voice) => `${undecided(ending, voice)} There is nobody left to ask.`,
    reserved: ({ rejectedBy: against, unansweredBy }, voice) =>
      [
        'None of those this call was reserved for decided it.',
        ...(against.length === 0 ? [] : [`${names(against, voice)} rejected it.`]),
        ...(unansweredBy.length === 0 ? [] : [`${names(unansweredBy, voice)} did not answer.`]),
      ].join(' '),
    dependency: ({ dependency, outcome }, { text }) =>
      `This call depends on ${text(dependency)}, which ${FAILED[outcome]}.`,
    not_allowed_now: ({ approver, message }, voice) =>
      `${approved(approver, voice)}, but by the time it was about to run it was no longer allowed: ${voice.text(message)}`,
    session: ({ session, by, reason }, voice) =>
      `The session ${voice.text(session)}, which ${voice.name(by)} committed, does not let this call run: ${voice.text(reason)}`,
    undecided,
    not_started: ({ approver, waitsFor }, voice) => {
      const late = `${allOf(waitsFor.map(voice.text))} did not finish in time`;
      return `${approved(approver, voice)}, but ${waitsFor.length === 0 ? 'it could not start in time' : late}.`;
    },
  };

/** Why a proposal ended without running, and by whom (O-45): one or two sentences. */
export function describeEnding(ending: ProposalEnding, voice: Voice): string {
  // The table has one row for each kind of ending, so the row fits.
  const describe = ENDINGS[ending.why] as (ending: ProposalEnding, voice: Voice) => string;
  return describe(ending, voice);
}

/** What became of a dependency that failed, after its name. */
export const FAILED: Readonly<Record<FailedOutcome, string>> = {
  error: 'failed',
  withdrawn: 'was withdrawn',
  expired: 'expired',
  declined: 'was declined',
};

function approved(approver: string | undefined, voice: Voice): string {
  return approver === undefined ? 'This call was approved' : `${subject(approver, voice)} approved this call`;
}

function undecided(
  { approvedBy, rejectedBy: against }: Pick<EndingOf<'undecided'>, 'approvedBy' | 'rejectedBy'>,
  voice: Voice,
): string {
  const given = allOf(approvedBy.map(voice.name));
  if (given === '' && against.length === 0) return 'Nobody decided in time.';
  if (against.length === 0) return `Not enough people approved this call in time; ${given} did.`;
  const approved = given === '' ? 'Nobody' : `Only ${given}`;
  return `${approved} approved this call in time. ${names(against, voice)} rejected it.`;
}

/** Participants at the beginning of a sentence. */
function names(list: readonly string[], voice: Voice): string {
  const [first, ...rest] = list;
  return first === undefined ? '' : allOf([subject(first, voice), ...rest.map(voice.name)]);
}

const UNKNOWN: Readonly<Record<UnknownCause, (who: string) => string>> = {
  executor_left: (who) => `${who} disconnected without answering.`,
  executor_lost_it: (who) => `${who} does not know how this call ended.`,
  no_answer: (who) => `${who} did not answer in time.`,
  not_reported: (who) => `${who} was allowed to run this call but did not report how it ended.`,
};

type Unknown = { readonly cause?: UnknownCause | undefined; readonly by?: string | undefined };

/** Why nobody knows how a call ended (O-23). */
export function describeCause({ cause, by }: Unknown, voice: Voice): string {
  if (cause === undefined || !Object.hasOwn(UNKNOWN, cause)) return 'Nobody knows how this call ended.';
  return UNKNOWN[cause](by === undefined ? 'The executor' : subject(by, voice));
}

/** Why nobody knows how a call ended, and what to do about it. Some agents never report: that calls for nothing (O-46). */
export function describeUnknown(outcome: Unknown, voice: Voice): string {
  const why = describeCause(outcome, voice);
  if (outcome.cause === 'not_reported') return why;
  return `${why} This call may or may not have run. Proffer will not retry it. Check its effects before you repeat it.`;
}
