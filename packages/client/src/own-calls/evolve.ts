import type { CallRecord } from './call-events.js';
import { type CallState, type OwnCallFacts, phaseOf } from './call-state.js';

/** A call after something happened to it at that time. */
export function evolve<Facts extends OwnCallFacts>(
  state: CallState<Facts>,
  record: CallRecord,
  now: number,
): CallState<Facts> {
  switch (record.type) {
    case 'stored':
      return placed({ ...state, phase: { type: 'waiting' } });
    case 'joined': {
      const { aloneSince: _, ...rest } = state;
      return placed({ ...rest, callers: [...state.callers, record.caller] });
    }
    case 'left':
      return placed(aloneFrom(without(state, record.caller), now));
    case 'approved':
      return { ...state, phase: { type: 'approved', approval: record.approval } };
    case 'began':
      return { ...state, phase: { type: 'running', approval: record.approval }, changedAt: now };
    case 'ended': {
      // A caller that gave it up does not come back for the outcome.
      const isClosed = state.isClosed || state.phase.type === 'withdrawing';
      return aloneFrom({ ...state, phase: phaseOf(record.outcome), isClosed, changedAt: now }, now);
    }
    case 'telling':
      return { ...without(state, record.caller), telling: state.telling + 1 };
    case 'doubted':
      return { ...state, isEarlier: true };
    case 'missed':
      return aloneFrom({ ...state, telling: state.telling - 1 }, now);
    case 'heard':
      return { ...state, telling: state.telling - (record.isTelling ? 1 : 0), isHeard: true };
    case 'given-up':
      return { ...state, phase: { type: 'withdrawing', reason: record.reason } };
    case 'closed':
      return { ...state, isClosed: true };
    case 'task-changed':
      return { ...state, isTask: record.isTask };
    case 'promised':
      return { ...state, isPromised: true };
    case 'said':
      return { ...state, said: record.text };
    case 'offered':
      return { ...state, offer: record.offer };
    case 'shrunk':
      return { ...state, phase: phaseOf(record.outcome) };
  }
}

function without<State extends CallState>(state: State, caller: number): State {
  return { ...state, callers: state.callers.filter(({ number }) => number !== caller) };
}

/** Whether a caller is present decides between `waiting` and `parked`. */
function placed<State extends CallState>(state: State): State {
  const { phase, callers } = state;
  if (phase.type !== 'waiting' && phase.type !== 'parked') return state;
  return { ...state, phase: { type: callers.length > 0 ? 'waiting' : 'parked' } };
}

/**
 * If no caller is present now, the window starts; a caller that repeats the call later did not wait for its outcome.
 */
function aloneFrom<State extends CallState>(state: State, now: number): State {
  if (state.callers.length > 0 || state.telling > 0 || state.isHeard) return state;
  return { ...state, aloneSince: now, isEarlier: state.isEarlier || 'outcome' in state.phase };
}
