import {
  type Refusal,
  refuse,
  type SessionCommand,
  type SessionContext,
  type SessionRecord,
  type SessionState,
  sessionDecider,
} from '@proffer/core';
import type { Verdict } from './verdict.js';

/** What became of a command to a session. */
export type SessionVerdict = Exclude<Verdict<SessionState, SessionRecord>, { readonly status: 'removed' }>;

/** The verdict on a command to a session that there is not. */
export function decideWithoutSession(command: SessionCommand, context: SessionContext): SessionVerdict {
  const { refused } = sessionDecider.decide(undefined, command, context);
  const refusal = refused ?? refuse('unavailable', 'The session could not be read.');
  return { status: 'refused', refusal, state: undefined };
}

/** The refusal for one session too many. */
export function refuseMore(open: number, limit: number): Refusal {
  const what = `There are ${open} open sessions already, and ${limit} are allowed.`;
  return refuse('too_many_open_sessions', what, { limit, open });
}
