import { type Refusal, refuse } from '@proffer/core';
import {
  type SessionCommand,
  type SessionContext,
  type SessionRecord,
  type SessionState,
  sessionDecider,
} from '@proffer/core/negotiation';
import type { EntityOutcome } from '../../host/index.js';

/** The outcome of a command to a session. */
export type SessionOutcome = Exclude<
  EntityOutcome<SessionState, SessionRecord>,
  { readonly status: 'removed' }
>;

/** The outcome of a command to a session that does not exist. */
export function decideWithoutSession(command: SessionCommand, context: SessionContext): SessionOutcome {
  const { refused } = sessionDecider.decide(undefined, command, context);
  const refusal = refused ?? refuse('unavailable', 'The session could not be read.');
  return { status: 'refused', refusal, state: undefined };
}

/** Limits of open sessions: per starting participant, and in total. */
export interface OpenLimits {
  readonly own: number;
  readonly all: number;
}

/** The refusal for one session too many, or `undefined`. */
export function checkOpen(open: OpenLimits, limits: OpenLimits): Refusal | undefined {
  if (open.own >= limits.own) {
    const what = `You have ${open.own} open sessions, and the limit is ${limits.own}.`;
    return refuse('too_many_open_sessions', what, { limit: limits.own, open: open.own });
  }
  if (open.all < limits.all) return undefined;
  const what = `The gateway has ${open.all} open sessions, and its limit for all participants together is ${limits.all}.`;
  return refuse('too_many_open_sessions', what, { limit: limits.all, open: open.all });
}
