import { diffJson, type JsonObject } from '@proffer/core/json';
import type { CallCommand, CallEffect, CallRecord, NotRun } from './call-events.js';
import {
  type CallerState,
  type CallState,
  isBefore,
  isUnattended,
  isUndecided,
  type NumberedApproval,
  type Owner,
  outcomeOf,
  type ReviewerOffer,
  windowSince,
} from './call-state.js';
import type { OwnCallOutcome } from './outcome.js';

/** The withdrawal reason for a call whose caller no longer wants it. */
export const CALLED_OFF = 'the caller cancelled the call';

/** The withdrawal reason for a call that nobody came back for. */
export const WENT_AWAY = 'the caller disconnected';

/** What a decision needs besides the call. */
export interface DecideContext {
  /** Why the rules do not allow the call with these arguments; `undefined` if they do. */
  readonly denial: (args: JsonObject) => string | undefined;
}

/** The events of a decision, and the effects to carry out afterwards. Both are empty if nothing changes. */
export interface CallDecision {
  readonly records: readonly CallRecord[];
  readonly effects: readonly CallEffect[];
}

const NOTHING: CallDecision = { records: [], effects: [] };
const STOP: CallDecision = { records: [], effects: [{ type: 'stop' }] };

/**
 * Decides what a command means for an own call in this state. At most one approval ever starts it; it never starts
 * without a caller, or after it was given up; once started, only its executor's answer ends it.
 */
export function decide(state: CallState, command: CallCommand, context: DecideContext): CallDecision {
  const { phase } = state;
  switch (command.type) {
    case 'store':
      return phase.type === 'asked' ? { records: [{ type: 'stored' }], effects: [] } : NOTHING;
    case 'join':
      return join(state, command.caller);
    case 'begin':
      return beginApproved(state, context);
    case 'leave':
      return isThere(state, command.caller) ? recorded({ type: 'left', caller: command.caller }) : NOTHING;
    case 'call-off':
      return state.isTask ? NOTHING : callOff(state);
    case 'cancel':
      return giveUp(state, command.reason);
    case 'dismiss':
      return dismiss(state, command.owner);
    case 'approve':
      return approve(state, command.approval, context);
    case 'finish':
      return phase.type === 'running' ? end(state, command.outcome) : NOTHING;
    case 'end':
      // A run in this process ends here, whatever the space could see of it.
      return isBefore(phase) ? end(state, command.outcome) : NOTHING;
    case 'hear':
      return recorded(command.isTold ? { type: 'heard', isTelling: true } : { type: 'missed' });
    case 'doubt':
      return state.isEarlier ? NOTHING : recorded({ type: 'doubted' });
    case 'deliver':
      return state.isHeard ? NOTHING : recorded({ type: 'heard', isTelling: false });
    case 'take-as-task':
      return state.isTask ? NOTHING : recorded({ type: 'task-changed', isTask: true });
    case 'promise':
      return state.isPromised ? NOTHING : recorded({ type: 'promised' });
    case 'say':
      return recorded({ type: 'said', text: command.text });
    case 'offer':
      return isUndecided(phase) ? offered(state, command.offer) : NOTHING;
    case 'shrink':
      return 'outcome' in phase ? recorded({ type: 'shrunk', outcome: command.outcome }) : NOTHING;
    case 'end-window':
      return windowSince(state) === command.since ? endWindow(state) : NOTHING;
    case 'expire':
      return isBefore(phase) ? end(state, { type: 'expired' }) : NOTHING;
  }
}

function join(state: CallState, caller: CallerState): CallDecision {
  const joined = recorded({ type: 'joined', caller });
  const outcome = outcomeOf(state);
  if (outcome !== undefined) return both(joined, tell([caller], outcome));
  return state.phase.type === 'approved' ? { ...joined, effects: [{ type: 'begin-soon' }] } : joined;
}

function beginApproved(state: CallState, context: DecideContext): CallDecision {
  const { phase, callers } = state;
  const caller = callers.at(-1);
  return phase.type === 'approved' && caller !== undefined
    ? begin(state, phase.approval, caller, context)
    : NOTHING;
}

function approve(state: CallState, approval: NumberedApproval, context: DecideContext): CallDecision {
  const { phase } = state;
  const { number } = approval;
  if (phase.type === 'withdrawing') {
    const { reason } = phase;
    const why = { type: 'nobody-waits', reason } as const;
    return both(end(state, { type: 'withdrawn', reason }), refused(number, why));
  }
  if (!isUndecided(phase)) return refused(number, tooLate(outcomeOf(state)));
  const caller = state.callers.at(-1);
  return caller === undefined
    ? recorded({ type: 'approved', approval })
    : begin(state, approval, caller, context);
}

/** Runs it for this caller, unless the approver's changes are denied by the rules. */
function begin(
  state: CallState,
  approval: NumberedApproval,
  caller: CallerState,
  { denial: denialOf }: DecideContext,
): CallDecision {
  const edit = diffJson(state.facts.arguments, approval.arguments);
  const reason = edit.length === 0 ? undefined : denialOf(approval.arguments);
  if (reason === undefined) {
    const run: CallEffect = { type: 'run', caller: caller.number, approval: { ...approval, edit } };
    return { records: [{ type: 'began', approval }], effects: [run] };
  }
  const { number } = approval;
  const ended = both(
    recorded({ type: 'ended', outcome: { type: 'denied', reason } }),
    tell(state.callers, { type: 'denied', reason }),
  );
  return both(ended, refused(number, { type: 'change-denied', reason }));
}

/**
 * The call has finished: waiting callers get the outcome, and an approval that waited for a caller has nothing left to run.
 */
function end(state: CallState, outcome: OwnCallOutcome): CallDecision {
  const { phase, callers } = state;
  const ended = both(recorded({ type: 'ended', outcome }), tell(callers, outcome));
  if (phase.type !== 'approved') return ended;
  const why =
    outcome.type === 'withdrawn' && outcome.reason !== undefined
      ? ({ type: 'nobody-waits', reason: outcome.reason } as const)
      : tooLate(outcome);
  return both(ended, refused(phase.approval.number, why));
}

function tell(callers: readonly CallerState[], outcome: OwnCallOutcome): CallDecision {
  const told = callers.filter(({ isTold }) => isTold);
  return {
    records: told.map(({ number: caller }) => ({ type: 'telling', caller })),
    effects: told.map(({ number: caller }) => ({ type: 'tell', caller, outcome })),
  };
}

/** The call stays undecided: waiting callers get this answer, and may accept it, or come back and keep waiting. */
function offered({ callers }: CallState, offer: ReviewerOffer): CallDecision {
  const waiting = callers.filter(({ isTold }) => isTold);
  return {
    records: [{ type: 'offered', offer }],
    effects: waiting.map(({ number: caller }) => ({ type: 'offer', caller })),
  };
}

/** Nobody wants it any more: it does not start even if it is approved. A running call continues. */
function giveUp(state: CallState, reason: string): CallDecision {
  const { phase } = state;
  const withdraw: CallEffect = { type: 'withdraw', reason };
  if (phase.type === 'approved') {
    const ended = both(recorded({ type: 'closed' }), end(state, { type: 'withdrawn', reason }));
    return both(ended, { records: [], effects: [withdraw] });
  }
  return isUndecided(phase) ? { records: [{ type: 'given-up', reason }], effects: [withdraw] } : NOTHING;
}

/** The caller that left does not want it. Only the executor can stop a running call; only its answer ends it. */
function callOff(state: CallState): CallDecision {
  if (isUnattended(state)) return giveUp(state, CALLED_OFF);
  return state.phase.type === 'running' && state.callers.length === 0 ? STOP : NOTHING;
}

/** If others wait for it, it stays for them, and the task's owner is told that it was cancelled. */
function dismiss(state: CallState, owner: Owner): CallDecision {
  const isTheirs = ({ comesBack }: CallerState): boolean =>
    comesBack !== undefined && comesBack.owner === owner;
  const others = state.callers.filter((caller) => !isTheirs(caller));
  if (state.phase.type === 'running' && others.length === 0) return STOP;
  if (!isBefore(state.phase)) return NOTHING;
  if (others.length === 0) return giveUp(state, CALLED_OFF);
  const isTask = others.some(({ comesBack }) => comesBack?.isTask === true);
  const theirs = state.callers.filter(isTheirs);
  return {
    records: [
      { type: 'task-changed', isTask },
      ...theirs.map(({ number: caller }): CallRecord => ({ type: 'left', caller })),
    ],
    effects: theirs
      .filter(({ isTold }) => isTold)
      .map(({ number: caller }): CallEffect => ({ type: 'dismiss', caller })),
  };
}

/** Nobody came back in time. */
function endWindow(state: CallState): CallDecision {
  return 'outcome' in state.phase ? recorded({ type: 'closed' }) : giveUp(state, WENT_AWAY);
}

/** The call has started or finished, so an approval has nothing to run. */
function tooLate(outcome: OwnCallOutcome | undefined): NotRun {
  const reason = outcome?.type === 'withdrawn' ? outcome.reason : undefined;
  return reason === undefined ? { type: 'too-late' } : { type: 'too-late', reason };
}

function isThere({ callers }: CallState, caller: number): boolean {
  return callers.some(({ number }) => number === caller);
}

function refused(approval: number, why: NotRun): CallDecision {
  return { records: [], effects: [{ type: 'refuse', approval, why }] };
}

function recorded(record: CallRecord): CallDecision {
  return { records: [record], effects: [] };
}

/** In sequence. */
function both(one: CallDecision, other: CallDecision): CallDecision {
  return { records: [...one.records, ...other.records], effects: [...one.effects, ...other.effects] };
}
