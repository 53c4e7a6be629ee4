import type { LifecycleStatus } from '../envelope/payloads/lifecycle.js';
import type { UsualRejectionReason } from '../operations/proposal/rejection.js';
import { subject, type Voice } from './voice.js';

/** The usual reasons for a rejection (O-17), as its sender would say them. */
export const REASONS: Readonly<Record<UsualRejectionReason, string>> = {
  unsafe: 'Unsafe',
  disagree: 'I disagree',
  invalid: 'Wrong arguments',
  policy: 'Against our policy',
  duplicate: 'Already done',
  busy: 'I am busy; others may decide',
  incapable: 'I cannot do this; others may decide',
  timeout: 'No time left',
  resource_limit: 'Over a limit',
  other: 'Another reason',
};

/** A reason as text: a usual one, or its sender's own words. */
export function describeReason(reason: string, { text }: Voice): string {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as UsualRejectionReason] : text(reason);
}

/** A reason with the message that came with it, in quotes: these are its sender's words. */
export function quoteReason(
  { reason, message = '' }: { readonly reason: string; readonly message?: string | undefined },
  voice: Voice,
): string {
  const said = describeReason(reason, voice);
  if (message === '') return `“${said}”`;
  return reason === 'other' ? `“${voice.text(message)}”` : `“${said}: ${voice.text(message)}”`;
}

/** A rejection as a sentence: who, and why in their words. */
export function describeRejection(
  rejection: { readonly by: string; readonly reason: string; readonly message?: string | undefined },
  voice: Voice,
): string {
  const said = `${subject(rejection.by, voice)} rejected this call: ${quoteReason(rejection, voice)}`;
  return /[.!?]”$/.test(said) ? said : `${said}.`;
}

/** What a participant does about a proposal (O-42), after its name. */
const STATUSES: Readonly<Record<LifecycleStatus, string>> = {
  considering: 'began to consider this call',
  queued: 'queued this call',
  processing: 'started to work on this call',
  unable: 'cannot do this',
  revealed: 'revealed the hidden values of this call',
};

/** A status, after the name of its sender. */
export function describeStatus(status: string, { text }: Voice): string {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as LifecycleStatus] : `reported: ${text(status)}`;
}
