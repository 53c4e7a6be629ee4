import type { Refusal } from '../../refusal/refusal.js';
import { modeOf } from '../modes/registry.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import { sessionDecider } from './decide.js';
import { evolveSession } from './evolve.js';
import type { MessageAccepted, SessionRecord } from './records.js';
import { isFinal, type SessionState, type SessionStatus, statusAt } from './session.js';
import { beginSession } from './summary.js';

/** What became of one record of a session under some rules. */
export type ReplayedRecord =
  | { readonly kind: 'APPLIED'; readonly state: SessionStatus }
  | { readonly kind: 'NOT_OPEN' | 'NO_SESSION' }
  | { readonly kind: 'REFUSED'; readonly refusal: Refusal };

/** A session, as it was and as it would have been under other rules (N-27). */
export interface WhatIf {
  readonly recorded: SessionState;
  readonly candidate: SessionState;
}

export const NO_HISTORY: WhatIf = { recorded: undefined, candidate: undefined };

/**
 * Replays the next record of a session. Only the rules differ: the session keeps the name of its policy, so that its
 * Commitment still names the right one. What the candidate refuses leaves no trace there.
 *
 * @param rules - the candidate's
 */
export function replayUnder(
  rules: PolicyRules,
  before: WhatIf,
  record: SessionRecord,
): { readonly after: WhatIf; readonly recorded: ReplayedRecord; readonly candidate: ReplayedRecord } {
  const recorded = evolveSession(before.recorded, record);
  const { state, outcome } = replayCandidate(rules, before.candidate, record);
  return {
    after: { recorded, candidate: state },
    recorded: applied(recorded),
    candidate: outcome,
  };
}

function replayCandidate(
  rules: PolicyRules,
  state: SessionState,
  record: SessionRecord,
): { readonly state: SessionState; readonly outcome: ReplayedRecord } {
  if (record.type === 'session_started') {
    const session = beginSession({ ...record, facts: { ...record.facts, rules } });
    const refusal = modeOf(session).checkTerms(session.terms);
    if (refusal !== undefined) return { state: undefined, outcome: { kind: 'REFUSED', refusal } };
    return { state: session, outcome: applied(session) };
  }
  if (state === undefined) return { state, outcome: { kind: 'NO_SESSION' } };
  const isMessage = record.type === 'message_accepted';
  const isOpen = isMessage ? statusAt(state, record.time) === 'OPEN' : !isFinal(state.status);
  if (!isOpen) return { state, outcome: { kind: 'NOT_OPEN' } };
  const refusal = isMessage ? check(state, record) : undefined;
  if (refusal !== undefined) return { state, outcome: { kind: 'REFUSED', refusal } };
  const session = evolveSession(state, record);
  return { state: session, outcome: applied(session) };
}

/** Who sent it was checked when it was accepted. */
function check(state: SessionState, { envelope, time, principal }: MessageAccepted): Refusal | undefined {
  const caller = { name: principal, actAs: 'anyone', mayStartSessions: true } as const;
  const context = { now: time, policies: () => undefined };
  return sessionDecider.decide(state, { type: 'send', caller, envelope }, context).refused;
}

function applied(session: SessionState): ReplayedRecord {
  return { kind: 'APPLIED', state: session?.status ?? 'OPEN' };
}
