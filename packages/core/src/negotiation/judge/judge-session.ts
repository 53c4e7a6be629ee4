import { GATEWAY } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { modeOf } from '../modes/registry.js';
import { sessionDecider } from '../session/decide.js';
import { evolveSession } from '../session/evolve.js';
import type { MessageAccepted, SessionRecord, SessionStarted } from '../session/records.js';
import { isFinal, type SessionState, statusAt } from '../session/session.js';
import { beginSession } from '../session/summary.js';

/** Why a record of a session cannot have come about by the session's rules. */
export interface MisjudgedSession {
  /** `refused`: its message was to be refused. `unfounded`: the runtime had no reason for it. */
  readonly what: 'refused' | 'unfounded';
  readonly code?: string;
  readonly sentence: string;
}

/** Decides the records of one session again, one after the other, by the rules that it was started with. */
export interface SessionJudge {
  /** What is wrong with the next record; `undefined` if it could be decided like this. */
  judge(record: SessionRecord): MisjudgedSession | undefined;
  /** Whether nothing can follow. */
  readonly isOver: boolean;
}

/** Judges a session from its start. */
export function judgeSession(): SessionJudge {
  let state: SessionState;

  function judgeIt(record: SessionRecord): MisjudgedSession | undefined {
    const { type, time, principal } = record;
    if (state === undefined && type !== 'session_started')
      return refused(`This ${quote(type)} has no session.`);
    switch (type) {
      case 'session_started':
        return state === undefined ? checkStart(record) : refused('The session was started before.');
      case 'message_accepted':
        return checkMessage(state, record);
      case 'session_expired': {
        const isDue = principal === GATEWAY && state !== undefined && statusAt(state, time) === 'EXPIRED';
        return isDue ? undefined : unfounded('The session had not expired.');
      }
      default:
        // That its author may speak for the initiator is in the configuration, which changes.
        return state === undefined || isFinal(statusAt(state, time))
          ? refused(`This ${quote(type)} came after the session had ended.`)
          : undefined;
    }
  }

  return {
    get isOver() {
      return state !== undefined && isFinal(state.status);
    },
    judge(record) {
      const wrong = judgeIt(record);
      if (state !== undefined || record.type === 'session_started') state = evolveSession(state, record);
      return wrong;
    },
  };
}

function checkStart(record: SessionStarted): MisjudgedSession | undefined {
  const session = beginSession(record);
  const stuck = modeOf(session).checkTerms(session.terms);
  return stuck && refused(stuck.message, stuck.code);
}

/** Who may speak for whom is in the configuration, and was checked when the message was accepted. */
function checkMessage(
  state: SessionState,
  { envelope, time, principal }: MessageAccepted,
): MisjudgedSession | undefined {
  const caller = { name: principal, actAs: 'anyone', mayStartSessions: true } as const;
  const decision = sessionDecider.decide(
    state,
    { type: 'send', caller, envelope },
    { now: time, policies: () => undefined },
  );
  if (decision.refused !== undefined) return refused(decision.refused.message, decision.refused.code);
  return decision.records === undefined
    ? refused(`${quote(envelope.message_id)} was accepted before.`)
    : undefined;
}

function refused(sentence: string, code?: string): MisjudgedSession {
  return { what: 'refused', sentence, ...(code === undefined ? {} : { code }) };
}

function unfounded(sentence: string): MisjudgedSession {
  return { what: 'unfounded', sentence };
}
