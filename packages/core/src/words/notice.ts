import { objectsIn, textOf, textsIn } from '../json/fields.js';
import type { JsonObject } from '../json/json.js';
import type { FailedOutcome } from '../operations/dependencies/dependency.js';
import { endingInNotice } from '../operations/proposal/ending.js';
import type { UnknownCause } from '../operations/proposal/proposal.js';
import type { NoticeName } from '../operations/routing/notice.js';
import { describeEnding, describeUnknown, FAILED } from './ending.js';
import { allOf, anyOf, count, person, subject, type Voice } from './voice.js';

const NOTICES: Readonly<Record<NoticeName, (payload: JsonObject, voice: Voice) => string>> = {
  expired: () => 'This call expired.',
  expiring: ({ expiresAt }, { moment }) =>
    typeof expiresAt === 'number' ? `This call expires at ${moment(expiresAt)}.` : 'This call expires soon.',
  declined: (payload, voice) => {
    if (payload['final'] !== true) return 'Everyone asked has rejected this call. Others may still decide.';
    const ending = endingInNotice(payload);
    return ending === undefined
      ? 'Not decided in time. There is nobody left to ask.'
      : describeEnding(ending, voice);
  },
  agreed: ({ session, by, positive, accepted, rejected, notCounted }, voice) => {
    const [yes, no] = [textsIn(accepted).map(voice.name), textsIn(rejected).map(voice.name)];
    const out = objectsIn(notCounted).map((each) => voice.name(textOf(each['by'])));
    return [
      `${subject(textOf(by), voice)} committed the session ${voice.text(textOf(session))} about this call with a ${positive === true ? 'positive' : 'negative'} outcome.`,
      yes.length === 0 ? 'Nobody accepted it there.' : `Accepted by ${allOf(yes)}.`,
      ...(no.length === 0 ? [] : [`Rejected by ${allOf(no)}.`]),
      ...(out.length === 0 ? [] : [`No approval: ${allOf(out)}.`]),
    ].join(' ');
  },
  addressees_absent: ({ absent }, { name }) => {
    const names = textsIn(absent).map(name);
    return `${allOf(names)} ${names.length === 1 ? 'is' : 'are'} offline. This call stays pending.`;
  },
  unanswered: ({ unansweredBy }, { name }) => {
    const names = textsIn(unansweredBy).map(name);
    const who = names.length === 0 ? 'Nobody' : names.length === 1 ? allOf(names) : 'None of those asked';
    return `${who} has${names.length === 1 ? ' not' : ''} answered in the time that the proposer set. This call stays pending.`;
  },
  options_unused: ({ options }, { text }) => {
    const names = textsIn(options).map(text);
    const have = names.length === 1 ? 'has' : 'have';
    const bids = textsIn(options).some((option) => BIDS.has(option)) ? ' Bids are not collected.' : '';
    return `${allOf(names)} ${have} no effect here.${bids} This call stays pending.`;
  },
  nobody_capable: () => 'Nobody who is connected may approve this call. It stays pending.',
  escalated: ({ to }, voice) => {
    const asked = anyOf(textsIn(to).map((each) => person(each, voice)));
    return `Not decided in time. Now ${asked} may approve this call, too.`;
  },
  opened: () => 'None of those it was reserved for decided it. Anyone may approve it now.',
  dependencies_met: ({ dependencies, waitsFor }, { text }) => {
    const [done, left] = [textsIn(dependencies).map(text), textsIn(waitsFor).map(text)];
    const rest =
      left.length === 0 ? 'This call no longer waits for any other.' : `Still waiting for ${allOf(left)}.`;
    return `${allOf(done)} succeeded. ${rest}`;
  },
  dependency_failed: ({ dependency, outcome, reopened }, { text }) => {
    const what = textOf(outcome);
    const failed = Object.hasOwn(FAILED, what) ? FAILED[what as FailedOutcome] : 'failed';
    const again = reopened === true ? ' The approval must be given again.' : '';
    return `A proposal it depends on (${text(textOf(dependency))}) ${failed}; reviewers decide anyway.${again}`;
  },
  outcome_unknown: ({ cause, executor }, voice) => {
    const about = { cause: textOf(cause) as UnknownCause, by: textOf(executor) || undefined };
    return describeUnknown(about, voice);
  },
  acted_alone: ({ by }, voice) =>
    `${subject(textOf(by), voice)} may approve this call without anyone else, under the policy.`,
  executor_confirmed: ({ by, executor, name, insteadOf }, voice) =>
    `${subject(textOf(by), voice)} let ${voice.name(textOf(executor))} run ${voice.text(textOf(name))}, which ${voice.name(textOf(insteadOf))} served before.`,
  grant_used: ({ left }) =>
    typeof left === 'number' ? `A grant was used; ${count(left, 'use')} left.` : 'A grant was used.',
  grant_ended: () => 'A grant ended because its holder disconnected.',
};

const BIDS: ReadonlySet<string> = new Set(['request_bids', 'bid_timeout']);

/** What the gateway says in a notice, as a sentence or two. */
export function describeNotice(payload: JsonObject, voice: Voice): string {
  const name = textOf(payload['notice']);
  if (!Object.hasOwn(NOTICES, name))
    return 'The gateway sent a notice that this version of Proffer does not know. A newer version does.';
  return NOTICES[name as NoticeName](payload, voice);
}
