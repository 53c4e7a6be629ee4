import type { RecordContent } from '@proffer/core/records';
import type { Append } from '@proffer/journal';
import type { DecisionInFlight } from './append-batch.js';
import type { LiveState } from './live-state.js';

/** A decision: what to append, or, without that, an answer that leaves no trace. */
export interface RecordableDecision {
  readonly appends?: readonly Append[] | undefined;
  /** Whether each append counts only if those before it do. Default: each stands alone. */
  readonly inOrder?: boolean | undefined;
  /** For an answer: what it depends on and has to be appended first. Then it is decided again. */
  readonly dueAppends?: readonly Append[] | undefined;
}

/** The outcome of a message, reported once it is certain. */
export type SubmitOutcome<State, Decision> =
  /** All of it was appended, or could not be. */
  | {
      readonly status: 'landed';
      readonly decided: DecisionInFlight<State>;
      readonly before: State;
      readonly decision: Decision;
    }
  /** The message leaves no trace (I-5), on a durable state. */
  | { readonly status: 'answered'; readonly decision: Decision; readonly state: State }
  /** Others were first each time. */
  | { readonly status: 'outrun' }
  /** The message could not be processed. */
  | { readonly status: 'failed'; readonly error: unknown };

/** The rules for deciding messages. Pure. */
export interface Rules<State, Message, Decision extends RecordableDecision> {
  decide(state: State, message: Message): Decision;
  /**
   * The answer for a decision that appends nothing while something is in flight; `undefined` if it has to
   * wait for that, which may still fail (I-1).
   *
   * @param onDurable - the decision on the durable state
   */
  confirm(decision: Decision, onDurable: () => Decision): Decision | undefined;
}

/** A message, and the callback for its outcome. */
interface Submitted<State, Message, Decision> {
  readonly message: Message;
  /** Called once, perhaps synchronously. Must not throw: others wait after it. */
  readonly settle: (outcome: SubmitOutcome<State, Decision>) => void;
  /** From 1. */
  readonly attempt: number;
  /**
   * Reloads what the message needs and was evicted from memory while it waited, and returns the message with it.
   * `undefined` if everything is in memory, which is nearly always so. Default: nothing is ever evicted.
   */
  readonly prepare?: ((message: Message) => Promise<Message> | undefined) | undefined;
  /** Called with a decision of which only a part was appended, before it is decided again. Default: nothing. */
  readonly onPartly?: ((decision: Decision, decided: DecisionInFlight<State>) => void) | undefined;
}

/** How often a message is decided again, because someone else was faster, or its basis was rolled back. */
const MAX_ATTEMPTS = 10;

/**
 * Decides a message ahead of the disk, as often as necessary: on the state that decisions in flight will
 * leave, and again if those, or the message itself, fail.
 */
export function submit<State, Content extends RecordContent, Message, Decision extends RecordableDecision>(
  live: LiveState<State, Content>,
  rules: Rules<State, Message, Decision>,
  submitted: Submitted<State, Message, Decision>,
): void {
  const { message, settle, attempt } = submitted;
  if (live.isRefreshing) return void live.nextFlush().then(() => submitLater(live, rules, submitted));
  if (attempt > MAX_ATTEMPTS) return settle({ status: 'outrun' });
  const again = (): void => submitLater(live, rules, { ...submitted, attempt: attempt + 1 });
  const before = live.newest;
  const { durable } = live;
  let decision: Decision;
  let certain: Decision | undefined;
  try {
    decision = rules.decide(before, message);
    if (decision.appends === undefined && decision.dueAppends === undefined) {
      certain = durable === before ? decision : rules.confirm(decision, () => rules.decide(durable, message));
    }
  } catch (error) {
    // An internal error in one message must not affect the others.
    return settle({ status: 'failed', error });
  }
  if (decision.appends !== undefined) {
    const conclude = (decided: DecisionInFlight<State>): void => {
      if (isCertain(decided)) return settle({ status: 'landed', decided, before, decision });
      submitted.onPartly?.(decision, decided);
      again();
    };
    if (decision.inOrder === true) return live.appendInOrder(decision.appends, conclude);
    return live.append(decision.appends, conclude);
  }
  if (decision.dueAppends !== undefined)
    return live.append(decision.dueAppends, (decided) => {
      const isUnavailable = decided.outcomes.some(({ status }) => status === 'unavailable');
      if (isUnavailable) settle({ status: 'landed', decided, before, decision });
      else again();
    });
  // What it depends on may be in flight, and the durable state still without it.
  if (certain !== undefined && certain.dueAppends === undefined)
    settle({ status: 'answered', decision: certain, state: durable });
  else void live.nextFlush().then(again);
}

/** {@link submit} for a message that has waited since it was prepared. */
export function submitLater<
  State,
  Content extends RecordContent,
  Message,
  Decision extends RecordableDecision,
>(
  live: LiveState<State, Content>,
  rules: Rules<State, Message, Decision>,
  submitted: Submitted<State, Message, Decision>,
): void {
  const { message, settle, prepare } = submitted;
  const preparing = prepare?.(message);
  if (preparing === undefined) return submit(live, rules, submitted);
  preparing.then(
    (prepared) => submit(live, rules, { ...submitted, message: prepared }),
    (error: unknown) => settle({ status: 'failed', error }),
  );
}

/** Whether the outcome of all of it is known: not if it has to be decided again. */
function isCertain<State>({ outcomes }: DecisionInFlight<State>): boolean {
  const [only] = outcomes;
  // Nearly always.
  if (outcomes.length === 1) return only?.status !== 'conflict';
  if (outcomes.some(({ status }) => status === 'unavailable')) return true;
  return outcomes.length > 0 && !outcomes.some(({ status }) => status === 'conflict');
}
